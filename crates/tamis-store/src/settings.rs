//! What is known of a realm beside its records: how its tests were run the last time in each checkout. The store
//! does not know what is in it.

use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use rusqlite::{OptionalExtension as _, params};
use tamis_facts::Realm;

use crate::error::StoreError;
use crate::open::Store;
use crate::records::realm_number;

/// So many checkouts are remembered for a realm: throw-away ones must not make a shared store grow.
const N_CHECKOUTS: u32 = 8;

impl Store {
    /// Keeps the setting of a realm in the checkout at `root`, in place of the one before.
    pub fn keep_setting(
        &mut self,
        realm: &Realm,
        root: &Path,
        setting: &[u8],
    ) -> Result<(), StoreError> {
        let transaction = self.begin_writing()?;
        let number = realm_number(&transaction, realm)?;
        transaction.execute(
            "INSERT OR REPLACE INTO setting (realm, root, content) VALUES (?1, ?2, ?3)",
            params![number, root.as_os_str().as_bytes(), setting],
        )?;
        transaction.execute(
            "DELETE FROM setting WHERE realm = ?1 AND id NOT IN
             (SELECT id FROM setting WHERE realm = ?1 ORDER BY id DESC LIMIT ?2)",
            params![number, N_CHECKOUTS],
        )?;
        Ok(transaction.commit()?)
    }

    /// The setting of a realm in the checkout at `root`, if one was kept.
    pub fn setting(&self, realm: &Realm, root: &Path) -> Result<Option<Vec<u8>>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT content FROM setting JOIN realm ON realm.id = setting.realm
             WHERE module = ?1 AND execution = ?2 AND root = ?3",
        )?;
        let root = root.as_os_str().as_bytes();
        let found = statement.query_row(params![realm.module, realm.execution, root], |row| {
            row.get(0)
        });
        Ok(found.optional()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_setting_of_each_checkout_stays() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(dir.path()).unwrap().store;
        let realm = Realm::default();
        let [here, there] = ["/here", "/there"].map(Path::new);
        assert_eq!(store.setting(&realm, here).unwrap(), None);
        for (root, setting) in [(here, "one"), (here, "two"), (there, "three")] {
            store
                .keep_setting(&realm, root, setting.as_bytes())
                .unwrap();
        }
        assert_eq!(store.setting(&realm, here).unwrap(), Some(b"two".to_vec()));
        let kept_there = store.setting(&realm, there).unwrap();
        assert_eq!(kept_there, Some(b"three".to_vec()));
    }

    #[test]
    fn the_checkouts_used_last_are_remembered() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(dir.path()).unwrap().store;
        let realm = Realm::default();
        let roots: Vec<_> = (0..=N_CHECKOUTS).map(|n| format!("/{n}")).collect();
        let (last, others) = roots.split_last().unwrap();
        // The first is used again before the last comes.
        for root in others.iter().chain([&roots[0], last]) {
            store.keep_setting(&realm, Path::new(root), b"").unwrap();
        }
        let forgotten = roots
            .iter()
            .filter(|root| store.setting(&realm, Path::new(root)).unwrap().is_none());
        assert_eq!(forgotten.collect::<Vec<_>>(), ["/1"]);
    }
}
