//! Faults that are put in on purpose, so that the checker can be checked.
//!
//! Only a build with the feature `sabotage` has them, one at a time: the environment variable `TAMIS_SABOTAGE`
//! names it. In every other build nothing is ever sabotaged, and the compiler drops the questions.
//! `cargo xtask sabotage` makes that build, and sees whether `tamis check` catches each fault.

use tamis_facts::{Fact, Subject};
use tamis_store::KnownFact;

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sabotage {
    /// What initialised a class counts for the test that came first alone.
    NoInitSets,
    /// What tests left in static fields, files and properties counts for nobody.
    NoLeftState,
    /// What ran while no test did counts for nobody.
    NoAmbient,
    /// That a member was not there is not noted.
    NoAbsentFacts,
    /// Flags of methods and fields are no part of what others see of a class.
    SignaturesWithoutFlags,
    /// Tests of the same name in two executions share records.
    KeyWithoutExecution,
    /// The oldest true record decides.
    OldestRecord,
    /// A record counts for tests that it has not seen.
    CoverageIgnored,
    /// What a class declares beside its members is not noted.
    HeadIgnored,
    /// The methods that a class declares do not concern who calls through it.
    LookUpsIgnored,
    /// The members of classes as a whole are not noted.
    MembersIgnored,
    /// What is in files that are opened by their paths is not noted.
    FilesIgnored,
    /// That a file was not there is not noted.
    AbsentFilesIgnored,
    /// Which names are in a directory is not noted.
    ListingsIgnored,
    /// What lies beside classes, or in archives, and is no class is not noted.
    ResourcesIgnored,
    /// Which classes provide a service is not noted.
    ServicesIgnored,
    /// Class files that are read as data are not noted.
    ClassDataIgnored,
    /// How the JVM was started is not noted.
    JvmIgnored,
    /// That a class was not there is not noted.
    AbsentClassesIgnored,
    /// Static initialisers are not noted.
    StaticInitialisersIgnored,
    /// Classes in archives never change.
    LibraryClassesIgnored,
    /// What the JDK keeps of resources and absent classes counts for the test that came first alone.
    NoStickyQuestions,
    /// What the JDK keeps of what classes declare counts for who asked first alone.
    NoStickyMembers,
    /// A test runs without those that leave something for it.
    NoCompanions,
    /// That code hands work to other threads is not seen.
    NoBackground,
}

impl Sabotage {
    /// Whether this is wrong now.
    #[cfg(not(feature = "sabotage"))]
    #[expect(clippy::unused_self, reason = "the same question in both builds")]
    pub(crate) const fn is_on(self) -> bool {
        false
    }

    /// Whether this is wrong now.
    #[cfg(feature = "sabotage")]
    pub(crate) fn is_on(self) -> bool {
        static NAME: std::sync::OnceLock<String> = std::sync::OnceLock::new();
        *NAME.get_or_init(|| std::env::var("TAMIS_SABOTAGE").unwrap_or_default()) == self.name()
    }

    #[cfg(feature = "sabotage")]
    fn name(self) -> &'static str {
        match self {
            Self::NoInitSets => "no-init-sets",
            Self::NoLeftState => "no-left-state",
            Self::NoAmbient => "no-ambient",
            Self::NoAbsentFacts => "no-absent-facts",
            Self::SignaturesWithoutFlags => "signatures-without-flags",
            Self::KeyWithoutExecution => "key-without-execution",
            Self::OldestRecord => "oldest-record",
            Self::CoverageIgnored => "coverage-ignored",
            Self::HeadIgnored => "head-ignored",
            Self::LookUpsIgnored => "look-ups-ignored",
            Self::MembersIgnored => "members-ignored",
            Self::FilesIgnored => "files-ignored",
            Self::AbsentFilesIgnored => "absent-files-ignored",
            Self::ListingsIgnored => "listings-ignored",
            Self::ResourcesIgnored => "resources-ignored",
            Self::ServicesIgnored => "services-ignored",
            Self::ClassDataIgnored => "class-data-ignored",
            Self::JvmIgnored => "jvm-ignored",
            Self::AbsentClassesIgnored => "absent-classes-ignored",
            Self::StaticInitialisersIgnored => "static-initialisers-ignored",
            Self::LibraryClassesIgnored => "library-classes-ignored",
            Self::NoStickyQuestions => "no-sticky-questions",
            Self::NoStickyMembers => "no-sticky-members",
            Self::NoCompanions => "no-companions",
            Self::NoBackground => "no-background",
        }
    }
}

/// Whether a fact is left out by a fault. Of what reflection sees, the coarse form (the members of every used class)
/// would hide some faults, and so would what is known of calls: it is left out with them. [`Sabotage::MembersIgnored`] shows
/// what that does alone.
pub(crate) fn ignores(fact: &KnownFact<'_>) -> bool {
    // What a fact is about is not to be found out for all of them in vain.
    cfg!(feature = "sabotage") && ignores_fact(&fact.to_fact())
}

fn ignores_fact(fact: &Fact) -> bool {
    const OF_SIGNATURES: [Sabotage; 3] = [
        Sabotage::SignaturesWithoutFlags,
        Sabotage::HeadIgnored,
        Sabotage::LookUpsIgnored,
    ];
    let is_about_signatures = || OF_SIGNATURES.into_iter().any(Sabotage::is_on);
    let is_absent_member = matches!(fact.subject, Subject::Method(..) | Subject::Field(..));
    match &fact.subject {
        Subject::Members(_) => {
            let of_members = [Sabotage::MembersIgnored, Sabotage::NoAbsentFacts];
            of_members.into_iter().any(Sabotage::is_on) || is_about_signatures()
        }
        Subject::Resolution(..) => Sabotage::NoAbsentFacts.is_on() || is_about_signatures(),
        Subject::Dispatch(..) | Subject::Callbacks(_) | Subject::Signatures(_) => {
            is_about_signatures()
        }
        Subject::Head(_) | Subject::Declaration(_) => Sabotage::HeadIgnored.is_on(),
        Subject::Class(_) if fact.value.is_none() => Sabotage::AbsentClassesIgnored.is_on(),
        Subject::Method(_, method) if method.name.as_bytes() == b"<clinit>" => {
            Sabotage::StaticInitialisersIgnored.is_on()
                || Sabotage::NoAbsentFacts.is_on() && fact.value.is_none()
        }
        Subject::Jvm => Sabotage::JvmIgnored.is_on(),
        Subject::Resource(name) => ignores_path(name.as_bytes(), fact),
        Subject::File(path) | Subject::Presence(path) => ignores_path(&path.0, fact),
        Subject::Listing(_) => Sabotage::ListingsIgnored.is_on(),
        _ => Sabotage::NoAbsentFacts.is_on() && is_absent_member && fact.value.is_none(),
    }
}

/// Whether what was asked of a path, or of a name on the class path, is left out.
fn ignores_path(path: &[u8], fact: &Fact) -> bool {
    let contains = |part: &[u8]| path.windows(part.len()).any(|window| window == part);
    let is_of_loader = matches!(fact.subject, Subject::Resource(_)) || contains(b"classes/");
    let is_service = contains(b"META-INF/services/");
    if is_service && Sabotage::ServicesIgnored.is_on() {
        return true;
    }
    if path.ends_with(b".class") {
        return Sabotage::ClassDataIgnored.is_on();
    }
    if is_of_loader {
        return Sabotage::ResourcesIgnored.is_on();
    }
    if fact.value.is_none() {
        return Sabotage::AbsentFilesIgnored.is_on();
    }
    Sabotage::FilesIgnored.is_on()
}

/// Puts the faults of other crates in.
pub(crate) fn begin() {
    #[cfg(feature = "sabotage")]
    {
        use std::sync::atomic::Ordering;
        use tamis_classfile::sabotage;
        let is_without_flags = Sabotage::SignaturesWithoutFlags.is_on();
        sabotage::SIGNATURES_WITHOUT_FLAGS.store(is_without_flags, Ordering::Relaxed);
        sabotage::LOOK_UPS_IGNORED.store(Sabotage::LookUpsIgnored.is_on(), Ordering::Relaxed);
    }
}
