//! Works out the places that a JVM's loaders search, from its class path and arguments.
//!
//! In the order in which a JVM looks: patches of modules, modules, what is appended to the boot
//! class path, the class path with what its manifests name, agents. Where the order matters to
//! nobody, as among several module paths, it is any fixed one. A jar that holds an application
//! (`BOOT-INF`, `WEB-INF`) is followed by its parts.

use std::collections::HashSet;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::archives::{Archives, OnDisk};
use super::arguments::ClassArguments;
use super::kept_place::KeptPlace;
use super::origin::path_beside;
use super::root::Root;
use super::{ClassPath, Launch, manifest};
use crate::archive::{ArchiveIndex, CLASS_FOLDERS};
use crate::path_text::path_text;
use crate::stamp::Stamp;

/// Where executable jars and web archives keep jars.
const JAR_FOLDERS: [&[u8]; 2] = [b"BOOT-INF/lib/", b"WEB-INF/lib/"];

/// How many places are looked at; the largest builds have a few thousand.
const MAX_PLACES: usize = 1 << 16;

impl ClassPath {
    /// Works out what the loaders of a JVM search. To be called while the JVM waits: what it finds
    /// may be deleted later.
    pub fn expand(launch: &Launch<'_>, archives: &Arc<Archives>) -> Self {
        let since = SystemTime::now();
        let arguments = ClassArguments::parse(launch.arguments, launch.directory);
        let mut expansion = Expansion::new(launch.directory, archives);
        for file in &arguments.unreadable {
            expansion.add_unreadable(file.clone());
        }
        expansion.add_modules(&arguments);
        for path in &arguments.boot_append {
            expansion.add_class_path(path);
        }
        if !(launch.class_path.is_empty() && arguments.main_is_module) {
            expansion.add_class_path(launch.class_path);
        }
        for agent in &arguments.agents {
            expansion.add_class_path_entry(expansion.path(OsStr::from_bytes(agent)));
        }
        expansion.class_path(archives, since)
    }

    /// Where it searches, in order, as text that can be kept and looked into again later.
    pub fn places(&self) -> Vec<String> {
        self.places.iter().map(KeptPlace::to_string).collect()
    }

    /// The class path of places that were kept. What is missing now is looked for again at each question.
    pub fn of_places<P: AsRef<str>>(places: &[P], archives: &Arc<Archives>) -> Self {
        let since = SystemTime::now();
        let places: Vec<_> = places
            .iter()
            .map(|place| KeptPlace::parse(place.as_ref()))
            .collect();
        archives.list_all(&places);
        let mut expansion = Expansion::new(Path::new("/"), archives);
        for place in places {
            match place {
                KeptPlace::Entry(path) => expansion.add_class_path_entries(path),
                KeptPlace::Module(path) => expansion.add_module_path_entry(path),
                KeptPlace::Unreadable(what) => expansion.add_unreadable(what),
            }
        }
        expansion.class_path(archives, since)
    }
}

struct Expansion<'a> {
    directory: &'a Path,
    archives: &'a Archives,
    roots: Vec<Root>,
    places: Vec<KeptPlace>,
    /// The paths that were looked at: a second time they add nothing.
    looked_at: HashSet<PathBuf>,
    /// Archives and the directories that they lie in, by their identities: a jar under another name
    /// in the same directory adds nothing.
    seen: HashSet<[(u64, u64); 2]>,
    n_places: usize,
}

impl<'a> Expansion<'a> {
    fn new(directory: &'a Path, archives: &'a Archives) -> Self {
        Self {
            directory,
            archives,
            roots: Vec::new(),
            places: Vec::new(),
            looked_at: HashSet::new(),
            seen: HashSet::new(),
            n_places: 0,
        }
    }

    fn class_path(self, archives: &Arc<Archives>, since: SystemTime) -> ClassPath {
        ClassPath {
            archives: Arc::clone(archives),
            roots: self.roots,
            places: self.places,
            since,
        }
    }

    /// Whatever is searched behind may not be what is found there.
    fn add_unreadable(&mut self, what: String) {
        self.places.push(KeptPlace::Unreadable(what.clone()));
        self.roots.push(Root::Unreadable(what));
    }

    fn add_modules(&mut self, arguments: &ClassArguments) {
        for path in &arguments.patches {
            for entry in self.entries(path) {
                self.places.push(KeptPlace::Entry(entry.clone()));
                self.add(entry);
            }
        }
        for path in [&arguments.upgrade_module_path, &arguments.module_path] {
            for entry in self.entries(path).into_iter().filter(|_| !path.is_empty()) {
                self.add_module_path_entry(entry);
            }
        }
    }

    /// A module, or a directory of modules.
    fn add_module_path_entry(&mut self, entry: PathBuf) {
        self.places.push(KeptPlace::Module(entry.clone()));
        if !entry.is_dir() || is_exploded_module(&entry) {
            self.add(entry);
            return;
        }
        for path in self.listing(&entry) {
            if is_jar(&path) || is_exploded_module(&path) {
                self.add(path);
            }
        }
    }

    fn add_class_path(&mut self, path: &[u8]) {
        for entry in self.entries(path) {
            self.add_class_path_entries(entry);
        }
    }

    /// The entry, or the jars of a directory that it stands for.
    fn add_class_path_entries(&mut self, entry: PathBuf) {
        if entry.file_name().is_none_or(|name| name != "*") {
            self.add_class_path_entry(entry);
            return;
        }
        let directory = entry.parent().unwrap_or(&entry).to_path_buf();
        self.places.push(KeptPlace::Entry(entry));
        let jars = self.listing(&directory).into_iter();
        jars.filter(|path| is_jar(path))
            .for_each(|jar| self.add_class_path_entry(jar));
    }

    /// The entry, and what its manifest names, and so on: each jar is followed by its own.
    fn add_class_path_entry(&mut self, entry: PathBuf) {
        let mut ahead = vec![entry];
        while let Some(path) = ahead.pop() {
            if !self.looked_at.contains(&path) {
                self.places.push(KeptPlace::Entry(path.clone()));
            }
            let Some(archive) = self.add(path.clone()) else {
                continue;
            };
            let urls = self.manifest_class_path(&archive);
            let room = MAX_PLACES.saturating_sub(ahead.len());
            let named = urls.iter().filter_map(|url| path_beside(&path, url));
            let named: Vec<_> = named.take(room).collect();
            ahead.extend(named.into_iter().rev());
        }
    }

    fn manifest_class_path(&mut self, archive: &ArchiveIndex) -> Vec<Vec<u8>> {
        match archive.manifest() {
            None => Vec::new(),
            Some(Ok(manifest)) => manifest::class_path(&manifest),
            Some(Err(_)) => {
                let place = archive.location().to_string();
                self.roots.push(Root::Unreadable(place));
                Vec::new()
            }
        }
    }

    /// Adds what is at a path; the archive, if it is one that was not there yet.
    fn add(&mut self, path: PathBuf) -> Option<Arc<ArchiveIndex>> {
        self.n_places += 1;
        if self.n_places > MAX_PLACES {
            if self.n_places == MAX_PLACES + 1 {
                self.add_unreadable(path_text(&path));
            }
            return None;
        }
        if !self.looked_at.insert(path.clone()) {
            return None;
        }
        match self.archives.look(&path) {
            Ok(OnDisk::Directory) => self.roots.push(Root::Directory(path)),
            Ok(OnDisk::NoClasses | OnDisk::Absent) => self.roots.push(Root::Nothing(path)),
            Ok(OnDisk::Archive(archive)) if self.is_new(&path) => {
                self.add_archive(&path, &archive);
                return Some(archive);
            }
            Ok(OnDisk::Archive(_)) => {}
            Err(_) => self.roots.push(Root::Unreadable(path_text(&path))),
        }
        None
    }

    fn add_archive(&mut self, path: &Path, archive: &Arc<ArchiveIndex>) {
        let folders = CLASS_FOLDERS.into_iter().filter(|f| archive.has_folder(f));
        let folders = std::iter::once(b"".as_slice()).chain(folders);
        self.roots.extend(folders.map(|folder| Root::Archive {
            path: path.to_path_buf(),
            archive: Arc::clone(archive),
            folder: folder.to_vec(),
        }));
        let jars = JAR_FOLDERS.into_iter().flat_map(|f| archive.jars_in(f));
        self.roots.extend(jars.map(|member| Root::Nested {
            path: path.to_path_buf(),
            outer: Arc::clone(archive),
            member: member.to_vec(),
        }));
    }

    fn is_new(&mut self, path: &Path) -> bool {
        let identity = |path: &Path| {
            let metadata = fs::metadata(path).ok()?;
            Some(Stamp::of(&metadata).identity())
        };
        let around = path.parent().and_then(identity);
        match (identity(path), around) {
            (Some(file), Some(around)) => self.seen.insert([file, around]),
            _ => true,
        }
    }

    /// What lies in a directory, sorted.
    fn listing(&mut self, directory: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(directory);
        let paths = entries.and_then(|entries| {
            let paths = entries.map(|entry| entry.map(|entry| entry.path()));
            paths.collect::<Result<Vec<_>, _>>()
        });
        let mut paths = paths.unwrap_or_else(|error| {
            if !super::archives::is_absence(&error) {
                self.roots.push(Root::Unreadable(path_text(directory)));
            }
            Vec::new()
        });
        paths.sort();
        paths
    }

    /// The paths of a list. An empty one stands for the working directory.
    fn entries(&self, list: &[u8]) -> Vec<PathBuf> {
        let entries = env::split_paths(OsStr::from_bytes(list));
        entries.map(|entry| self.path(entry.as_os_str())).collect()
    }

    /// Without the dots that a class path may have in it.
    fn path(&self, entry: &OsStr) -> PathBuf {
        self.directory.join(entry).components().collect()
    }
}

fn is_exploded_module(path: &Path) -> bool {
    path.join("module-info.class").is_file()
}

/// The launcher knows two ways to write it.
fn is_jar(path: &Path) -> bool {
    let extension = path.extension();
    extension.is_some_and(|extension| extension == "jar" || extension == "JAR")
}
