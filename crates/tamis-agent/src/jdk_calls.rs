//! The native methods that the doors of the JDK call: one exported function for each row of its table. They
//! run inside of `System.getProperty` and the like, in any thread and at any time, so they run no Java code.

use std::ffi::c_void;

use tamis_wire::{Asker, Sight, Sighting};

use crate::calls::watched;
use crate::entry::JDK_DOORS;
use crate::files::Wanted;
use crate::jdk_doors::{ARCHIVE_PATH, ENTRY_NAME, JdkDoors, MANIFEST, Member};
use crate::jni::{Jni, Object};
use crate::natives::{from_modified_utf8, path_of_text};
use crate::watch::Watch;

/// Functions that take so many references; null ones are as good as none.
macro_rules! doors {
    ($($symbol:ident($($object:ident),*) => $body:ident;)*) => {$(
        /// Called by a method of the JDK through a door.
        ///
        /// # Safety
        ///
        /// Called by a JVM that is watched.
        #[cfg_attr(tamis_cdylib, unsafe(no_mangle))]
        #[expect(non_snake_case, reason = "the JVM looks for this name")]
        pub unsafe extern "C" fn $symbol(jni: *mut c_void, _class: *mut c_void, $($object: *mut c_void),*) {
            watched(jni, (), |watch, jni| {
                let Some(doors) = JDK_DOORS.get() else { return };
                // SAFETY: the JVM gives references that live during the call.
                $(let Some($object) = (unsafe { Object::new($object) }) else { return };)*
                $body(&Room { watch, doors, jni }, $($object),*);
            });
        }
    )*};
}

doors! {
    Java_java_lang_Tamis_00024T_variable(name) => variable;
    Java_java_lang_Tamis_00024T_variables() => variables;
    Java_java_lang_Tamis_00024T_property(name) => property;
    Java_java_lang_Tamis_00024T_properties() => properties;
    Java_java_lang_Tamis_00024T_propertySet(name) => property_set;
    Java_java_lang_Tamis_00024T_propertiesSet() => properties_set;
    Java_java_lang_Tamis_00024T_member(archive, name) => member;
    Java_java_lang_Tamis_00024T_content(archive, entry) => content;
    Java_java_lang_Tamis_00024T_manifest(archive) => manifest;
    Java_java_lang_Tamis_00024T_memberNames(archive) => member_names;
    Java_java_lang_Tamis_00024T_packages() => packages;
    Java_java_lang_Tamis_00024T_seal() => seal;
}

/// What a door leads to.
struct Room<'r, 'j> {
    watch: &'r Watch,
    doors: &'r JdkDoors,
    jni: &'r Jni<'j>,
}

fn variable(room: &Room<'_, '_>, name: Object<'_>) {
    let name = room.text(name);
    room.watch
        .note_sighting(name.map_or(Sighting::Variables, Sighting::Variable));
}

fn variables(room: &Room<'_, '_>) {
    room.watch.note_sighting(Sighting::Variables);
}

fn property(room: &Room<'_, '_>, name: Object<'_>) {
    let name = room.text(name);
    // The JDK refuses an empty name.
    if name.as_ref().is_none_or(|name| !name.is_empty()) {
        room.watch
            .note_sighting(name.map_or(Sighting::Properties, Sighting::Property));
    }
}

fn properties(room: &Room<'_, '_>) {
    if !room.doors.is_nobodys_properties(room.jni) {
        room.watch.note_sighting(Sighting::Properties);
    }
}

fn property_set(room: &Room<'_, '_>, name: Object<'_>) {
    let name = room.text(name);
    room.watch
        .note_sighting(name.map_or(Sighting::PropertiesSet, Sighting::PropertySet));
}

fn properties_set(room: &Room<'_, '_>) {
    room.watch.note_sighting(Sighting::PropertiesSet);
}

fn member<'j>(room: &Room<'_, 'j>, archive: Object<'j>, name: Object<'j>) {
    match room.text(name) {
        Some(name) => room.note_member(archive, name, false),
        None => room.tell_unseen(UNREADABLE),
    }
}

fn content<'j>(room: &Room<'_, 'j>, archive: Object<'j>, entry: Object<'j>) {
    let name = ENTRY_NAME.value(room.jni, entry);
    let text = name.and_then(|name| {
        let text = room.text(name);
        room.jni.delete(name);
        text
    });
    match text {
        Some(name) => room.note_member(archive, name, true),
        None => room.tell_unseen(UNREADABLE),
    }
}

fn manifest<'j>(room: &Room<'_, 'j>, archive: Object<'j>) {
    room.note_member(archive, MANIFEST.to_vec(), false);
}

fn member_names<'j>(room: &Room<'_, 'j>, archive: Object<'j>) {
    if let Some(archive) = room.archive(archive) {
        room.watch.note_member_names(archive);
    }
}

fn packages(room: &Room<'_, '_>) {
    room.watch.note_sighting(Sighting::Packages);
}

fn seal(room: &Room<'_, '_>) {
    if !room.doors.is_loaders_seal(room.jni) {
        room.watch.note_sighting(Sighting::Packages);
    }
}

const UNREADABLE: &str = "a name that the JVM does not give";

impl<'j> Room<'_, 'j> {
    /// A text in UTF-8; nothing if it has half a character.
    fn text(&self, text: Object<'j>) -> Option<Vec<u8>> {
        let text = self.jni.text(text)?;
        if text.is_ascii() {
            return Some(text);
        }
        from_modified_utf8(&text)
    }

    /// The absolute path of an archive that counts.
    fn archive(&self, archive: Object<'j>) -> Option<Vec<u8>> {
        let path = ARCHIVE_PATH.value(self.jni, archive).map(|text| {
            let path = path_of_text(self.jni, text);
            self.jni.delete(text);
            path
        });
        match path.unwrap_or(Err(UNREADABLE)) {
            Ok(path) => self.watch.archive(&path),
            Err(reason) => {
                self.tell_unseen(reason);
                None
            }
        }
    }

    fn note_member(&self, archive: Object<'j>, name: Vec<u8>, is_read: bool) {
        let Some(archive) = self.archive(archive) else {
            return;
        };
        if self.doors.is_loaders(self.jni, &name) {
            return;
        }
        let mut member = Member {
            archive,
            name,
            is_read,
            asker: Asker::Unknown,
        };
        if !member.is_class_file() {
            member.asker = self
                .watch
                .asker(self.jni, Wanted::Member)
                .unwrap_or(Asker::Unknown);
        }
        if let Some(general) = member.general() {
            self.watch.note_member(general);
        }
        self.watch.note_member(member);
    }

    fn tell_unseen(&self, reason: &str) {
        self.watch.tell_unseen(Sight::Archives, reason);
    }
}
