//! What is known of a realm beside its records: how its tests were run the last time. The store does not know
//! what is in it.

use rusqlite::{OptionalExtension as _, params};
use tamis_facts::Realm;

use crate::error::StoreError;
use crate::open::Store;
use crate::records::realm_number;

impl Store {
    /// Keeps the setting of a realm, in place of the one before.
    pub fn keep_setting(&mut self, realm: &Realm, setting: &[u8]) -> Result<(), StoreError> {
        let transaction = self.begin_writing()?;
        let number = realm_number(&transaction, realm)?;
        transaction.execute(
            "INSERT INTO setting (realm, content) VALUES (?1, ?2)
             ON CONFLICT (realm) DO UPDATE SET content = excluded.content",
            params![number, setting],
        )?;
        Ok(transaction.commit()?)
    }

    /// The setting of a realm, if one was kept.
    pub fn setting(&self, realm: &Realm) -> Result<Option<Vec<u8>>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT content FROM setting JOIN realm ON realm.id = setting.realm
             WHERE module = ?1 AND execution = ?2",
        )?;
        let found = statement.query_row(params![realm.module, realm.execution], |row| row.get(0));
        Ok(found.optional()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_setting_stays() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(dir.path()).unwrap().store;
        let realm = Realm::default();
        assert_eq!(store.setting(&realm).unwrap(), None);
        for setting in [b"one", b"two"] {
            store.keep_setting(&realm, setting).unwrap();
        }
        assert_eq!(store.setting(&realm).unwrap(), Some(b"two".to_vec()));
    }
}
