//! Libraries from Maven Central, fetched by the installed Maven when a test first asks and kept in
//! `target/testkit/`. Maven does the fetching so that the user's own mirrors and proxies apply.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::place::{Lock, content_key, folder_once, testkit_dir};

const DEPENDENCY_PLUGIN: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1";

/// The jar of one artefact, `group:artifact:version`, or `group:artifact:version:sources` for one of its
/// other jars.
pub fn artifact(coordinates: &str) -> Result<PathBuf> {
    Ok(artifacts(&[coordinates])?.remove(0))
}

/// The jars of several artefacts, in the order asked; those not here yet are fetched by one call of
/// Maven.
pub fn artifacts(coordinates: &[&str]) -> Result<Vec<PathBuf>> {
    let dir = testkit_dir()?.join("jars");
    let parsed: Vec<_> = coordinates
        .iter()
        .map(|c| Coordinates::parse(c))
        .collect::<Result<_>>()?;
    let missing = |c: &&Coordinates<'_>| !dir.join(c.file_name()).is_file();
    if parsed.iter().any(|c| missing(&c)) {
        let lock = Lock::take("jars")?;
        let mut wanted: Vec<_> = parsed.iter().filter(missing).collect();
        wanted.sort_by_key(|c| c.file_name());
        wanted.dedup_by_key(|c| c.file_name());
        if !wanted.is_empty() {
            fetch(&wanted, &dir)?;
        }
        drop(lock);
    }
    Ok(parsed.iter().map(|c| dir.join(c.file_name())).collect())
}

/// The jars of the artefacts and of all they need at run time, conflicts resolved by Maven; sorted
/// by file name.
pub fn class_path(coordinates: &[&str]) -> Result<Vec<PathBuf>> {
    let name = format!("class-paths/{}", content_key(coordinates));
    let dir = folder_once(&name, |dir| fetch_with_dependencies(coordinates, dir))?;
    let mut jars = Vec::new();
    for entry in fs::read_dir(&dir)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "jar") {
            jars.push(path);
        }
    }
    jars.sort();
    Ok(jars)
}

struct Coordinates<'a> {
    group: &'a str,
    artifact: &'a str,
    version: &'a str,
    /// Empty for the jar with the classes.
    classifier: &'a str,
}

impl<'a> Coordinates<'a> {
    fn parse(text: &'a str) -> Result<Self> {
        let parts: Vec<&str> = text.split(':').collect();
        let (group, artifact, version, classifier) = match parts[..] {
            [group, artifact, version] => (group, artifact, version, ""),
            [group, artifact, version, classifier] => (group, artifact, version, classifier),
            _ => bail!("not of the form group:artifact:version: `{text}`"),
        };
        Ok(Self {
            group,
            artifact,
            version,
            classifier,
        })
    }

    /// The group is part of the name: two groups may have an artefact of the same name.
    fn file_name(&self) -> String {
        let Self {
            group,
            artifact,
            version,
            classifier,
        } = self;
        let dash = if classifier.is_empty() { "" } else { "-" };
        format!("{group}+{artifact}-{version}{dash}{classifier}.jar")
    }

    fn xml(&self) -> String {
        let Self {
            group,
            artifact,
            version,
            classifier,
        } = self;
        let classifier = match *classifier {
            "" => String::new(),
            classifier => format!("<classifier>{classifier}</classifier>"),
        };
        format!(
            "<groupId>{group}</groupId><artifactId>{artifact}</artifactId>\
             <version>{version}</version>{classifier}"
        )
    }
}

/// Copies the jars beside `dir` first, then moves each into it, so that `dir` never holds half a
/// jar.
fn fetch(wanted: &[&Coordinates<'_>], dir: &Path) -> Result<()> {
    fs::create_dir_all(dir)?;
    let work = tempfile::Builder::new()
        .prefix(".fetching-")
        .tempdir_in(testkit_dir()?)?;
    let mut items = String::new();
    for c in wanted {
        let file = c.file_name();
        write!(
            items,
            "<artifactItem>{}<destFileName>{file}</destFileName></artifactItem>",
            c.xml()
        )?;
    }
    let out = work.path().join("jars");
    let configuration = format!(
        "<artifactItems>{items}</artifactItems><outputDirectory>{}</outputDirectory>",
        out.display()
    );
    run_maven(work.path(), "", &configuration, "copy")?;
    for c in wanted {
        let file = c.file_name();
        fs::rename(out.join(&file), dir.join(&file))
            .with_context(|| format!("Maven did not bring {file}"))?;
    }
    Ok(())
}

fn fetch_with_dependencies(coordinates: &[&str], dir: &Path) -> Result<()> {
    let mut dependencies = String::from("<dependencies>");
    for text in coordinates {
        write!(
            dependencies,
            "<dependency>{}</dependency>",
            Coordinates::parse(text)?.xml()
        )?;
    }
    dependencies.push_str("</dependencies>");
    let configuration = format!(
        "<outputDirectory>{}</outputDirectory><includeScope>runtime</includeScope>\
         <prependGroupId>true</prependGroupId>",
        dir.display()
    );
    run_maven(dir, &dependencies, &configuration, "copy-dependencies")?;
    fs::remove_file(dir.join("pom.xml"))?;
    Ok(())
}

/// Runs one goal of the dependency plugin on a project that is nothing but that.
fn run_maven(dir: &Path, dependencies: &str, configuration: &str, goal: &str) -> Result<()> {
    let plugin = Coordinates::parse(DEPENDENCY_PLUGIN)?.xml();
    let pom = format!(
        "<project><modelVersion>4.0.0</modelVersion><groupId>tamis.testkit</groupId>\
         <artifactId>fetch</artifactId><version>1</version><packaging>pom</packaging>{dependencies}\
         <build><plugins><plugin>{plugin}<configuration>{configuration}</configuration>\
         </plugin></plugins></build></project>\n"
    );
    fs::write(dir.join("pom.xml"), pom)?;
    let output = Command::new("mvn")
        .args(["-B", "-q", &format!("{DEPENDENCY_PLUGIN}:{goal}")])
        .current_dir(dir)
        .output()
        .context("cannot start `mvn`; the tests fetch libraries with Maven, please install it")?;
    if !output.status.success() {
        bail!(
            "Maven could not fetch libraries ({}):\n{}{}",
            output.status,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_artifact_is_fetched_once_and_found_again() {
        let first = artifact("junit:junit:3.8.1").unwrap();
        let bytes = fs::read(&first).unwrap();
        assert_eq!(&bytes[..2], b"PK");
        assert_eq!(artifact("junit:junit:3.8.1").unwrap(), first);
    }

    #[test]
    fn coordinates_without_version_are_refused() {
        let error = artifact("junit:junit").unwrap_err();
        assert!(
            error.to_string().contains("group:artifact:version"),
            "{error}"
        );
    }

    #[test]
    fn an_artifact_that_does_not_exist_is_an_error_with_mavens_words() {
        let error = artifact("junit:junit:0.0.0-none").unwrap_err();
        assert!(error.to_string().contains("junit:junit"), "{error}");
    }

    #[test]
    fn a_class_path_holds_the_dependencies_too() {
        let jars = class_path(&["org.ow2.asm:asm-util:9.11.1"]).unwrap();
        let names: Vec<_> = jars
            .iter()
            .map(|j| j.file_name().unwrap().to_str().unwrap())
            .collect();
        assert_eq!(
            names,
            [
                "org.ow2.asm.asm-9.11.1.jar",
                "org.ow2.asm.asm-analysis-9.11.1.jar",
                "org.ow2.asm.asm-tree-9.11.1.jar",
                "org.ow2.asm.asm-util-9.11.1.jar"
            ]
        );
    }
}
