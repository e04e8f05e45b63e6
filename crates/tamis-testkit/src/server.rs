//! A JVM that stays: `javac`, ASM and the verifier of one JDK, asked over a pipe.
//! `java/tamis/testkit/Server.java` is the other end and describes the protocol.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, anyhow, bail, ensure};
use tamis_build::Jdk;

use crate::corpus::LINK_PATH;
use crate::java_side::server_class_path;
use crate::maven::artifacts;

/// Classes by name in internal form (slashes), as a compiler made them.
pub type Classes = BTreeMap<String, Vec<u8>>;

/// The answer to one of several jobs; the error is a Java stack trace, its first line the
/// exception.
pub type Answer<T> = Result<T, String>;

/// A running JVM. It ends with this value.
#[derive(Debug)]
pub struct JavaServer {
    jdk: Jdk,
    child: Child,
    requests: BufWriter<ChildStdin>,
    answers: BufReader<ChildStdout>,
    errors: File,
}

/// A class to put entry probes into: `holder.C[first + k] = 1` in the k-th method that has code.
#[derive(Debug, Clone, Copy)]
pub struct EntryProbe<'a> {
    pub class: &'a [u8],
    /// Internal name, as `tamis/H0`.
    pub holder: &'a str,
    pub first: u16,
}

/// A class with entry probes, and what they stand for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryProbed {
    pub class: Vec<u8>,
    pub units: Vec<Unit>,
}

/// A method that has an entry probe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    pub id: u16,
    /// Flags as in the class file (ASM's additional ones removed).
    pub access: u16,
    pub name: String,
    pub descriptor: String,
}

/// A class to put entry probes and block probes into.
#[derive(Debug, Clone, Copy)]
pub struct BlockProbe<'a> {
    pub class: &'a [u8],
    /// Internal name, as `tamis/H0`.
    pub holder: &'a str,
    pub first: u16,
    /// The positions of the methods that get block probes.
    pub methods: &'a [u16],
}

/// A class with block probes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockProbed {
    pub class: Vec<u8>,
    /// The methods that could have block probes, by position, with the number of their blocks.
    pub methods: BTreeMap<u16, u32>,
}

/// A class whose `<clinit>` gets `owner.begin(id)` and `owner.end(id)`.
#[derive(Debug, Clone, Copy)]
pub struct Bracket<'a> {
    pub class: &'a [u8],
    pub owner: &'a str,
    pub id: i32,
}

/// A class one method of which starts with a call of `owner.name`.
#[derive(Debug, Clone, Copy)]
pub struct Prologue<'a> {
    pub class: &'a [u8],
    pub method: &'a str,
    pub descriptor: &'a str,
    pub owner: &'a str,
    pub name: &'a str,
    /// What is passed on: 0 the receiver, n the n-th parameter; references only.
    pub arguments: &'a [u8],
}

/// Classes to link, and where they are.
#[derive(Debug, Clone, Copy)]
pub struct Link<'a> {
    /// Jars and folders; their classes are preferred to those of the JVM.
    pub path: &'a [PathBuf],
    /// Classes that are preferred to those on the path, by internal name.
    pub classes: &'a Classes,
    /// Which to link, internal names.
    pub names: &'a [String],
}

/// A program to run.
#[derive(Debug, Clone, Copy)]
pub struct Launch<'a> {
    /// Libraries it needs.
    pub path: &'a [PathBuf],
    /// Its classes, which are preferred to those on the path, by internal name.
    pub classes: &'a Classes,
    /// Name of its main class.
    pub main: &'a str,
}

/// How a program ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub stdout: String,
    /// The exception that `main` threw, with its causes and the program's lines; empty when it
    /// returned.
    pub thrown: String,
    /// The marks set in `tamis/H0`.
    pub hits: BTreeSet<u16>,
    /// The calls to `tamis/T`, in order: `begin 7`, `end 7`, `skip Main`, `call Main`.
    pub events: Vec<String>,
}

impl JavaServer {
    /// Starts the JVM of `jdk`.
    pub fn start(jdk: &Jdk) -> Result<Self> {
        Self::start_with(jdk, &[])
    }

    /// Starts the JVM of `jdk` with more options.
    pub fn start_with(jdk: &Jdk, jvm_options: &[&str]) -> Result<Self> {
        let errors = tempfile::tempfile()?;
        let mut child = Command::new(jdk.java())
            .args([
                "-XX:+UseSerialGC",
                "-Xmx2g",
                "-Xss8m",
                "-Dfile.encoding=UTF-8",
            ])
            .arg("-Duser.language=en")
            .args(jvm_options)
            .arg("-classpath")
            .arg(server_class_path(jdk)?)
            .arg("tamis.testkit.Server")
            .env_remove("JAVA_TOOL_OPTIONS")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(errors.try_clone()?)
            .spawn()
            .with_context(|| format!("cannot start {}", jdk.java().display()))?;
        let requests = BufWriter::new(child.stdin.take().context("stdin is piped")?);
        let answers = BufReader::new(child.stdout.take().context("stdout is piped")?);
        Ok(Self {
            jdk: jdk.clone(),
            child,
            requests,
            answers,
            errors,
        })
    }

    /// The JDK this server runs on.
    pub fn jdk(&self) -> &Jdk {
        &self.jdk
    }

    /// Compiles sources (file name, text) with the server's `javac` and these options. Annotation
    /// processing is off.
    pub fn compile(&mut self, options: &[&str], sources: &[(&str, &str)]) -> Result<Classes> {
        let options = format!("-proc:none\n{}", options.join("\n"));
        let mut fields = vec![options.as_bytes()];
        for (name, text) in sources {
            fields.extend([name.as_bytes(), text.as_bytes()]);
        }
        let answer = self.request("compile", &fields)?;
        let mut classes = Classes::new();
        for pair in answer.chunks_exact(2) {
            classes.insert(String::from_utf8(pair[0].clone())?, pair[1].clone());
        }
        Ok(classes)
    }

    /// The classes as text in the normal form that `java/tamis/testkit/Text.java` states.
    pub fn texts(&mut self, classes: &[&[u8]]) -> Result<Vec<Answer<String>>> {
        let jobs: Vec<Vec<&[u8]>> = classes.iter().map(|c| vec![*c]).collect();
        self.jobs("text", &jobs, |text, _| Ok(String::from_utf8(text)?))
    }

    /// The same as if the classes had no lines, variables, parameter names and source file.
    pub fn texts_without_debug_info(&mut self, classes: &[&[u8]]) -> Result<Vec<Answer<String>>> {
        let jobs: Vec<Vec<&[u8]>> = classes.iter().map(|c| vec![*c]).collect();
        self.jobs("text-without-debug-info", &jobs, |text, _| {
            Ok(String::from_utf8(text)?)
        })
    }

    /// Where the texts of two classes differ: the first lines that do, with context; `None` when
    /// they do not.
    pub fn differences(&mut self, pairs: &[(&[u8], &[u8])]) -> Result<Vec<Answer<Option<String>>>> {
        let jobs: Vec<Vec<&[u8]>> = pairs.iter().map(|(a, b)| vec![*a, *b]).collect();
        self.jobs("difference", &jobs, |text, _| {
            Ok(Some(String::from_utf8(text)?).filter(|text| !text.is_empty()))
        })
    }

    /// Entry probes, put in by ASM.
    pub fn probe_entry(&mut self, jobs: &[EntryProbe<'_>]) -> Result<Vec<Answer<EntryProbed>>> {
        let firsts: Vec<String> = jobs.iter().map(|job| job.first.to_string()).collect();
        let jobs: Vec<Vec<&[u8]>> = jobs
            .iter()
            .zip(&firsts)
            .map(|(job, first)| vec![job.class, job.holder.as_bytes(), first.as_bytes()])
            .collect();
        self.jobs("probe-entry", &jobs, |class, units| {
            let units = String::from_utf8(units)?;
            Ok(EntryProbed {
                class,
                units: units.lines().map(parse_unit).collect::<Result<_>>()?,
            })
        })
    }

    /// Entry probes and block probes, put in by ASM.
    pub fn probe_blocks(&mut self, jobs: &[BlockProbe<'_>]) -> Result<Vec<Answer<BlockProbed>>> {
        let texts: Vec<(String, String)> = jobs
            .iter()
            .map(|job| {
                let numbers: Vec<_> = job.methods.iter().map(u16::to_string).collect();
                (job.first.to_string(), numbers.join(","))
            })
            .collect();
        let jobs: Vec<Vec<&[u8]>> = jobs
            .iter()
            .zip(&texts)
            .map(|(job, (first, methods))| {
                let holder = job.holder.as_bytes();
                vec![job.class, holder, first.as_bytes(), methods.as_bytes()]
            })
            .collect();
        self.jobs("probe-blocks", &jobs, |class, methods| {
            let parse = |line: &str| {
                let (method, n_blocks) = line.split_once('\t').context("two numbers")?;
                anyhow::Ok((method.parse()?, n_blocks.parse()?))
            };
            let methods = String::from_utf8(methods)?;
            Ok(BlockProbed {
                class,
                methods: methods.lines().map(parse).collect::<Result<_>>()?,
            })
        })
    }

    /// Initialiser brackets, put in by ASM. A class without `<clinit>` is an error.
    pub fn probe_bracket(&mut self, jobs: &[Bracket<'_>]) -> Result<Vec<Answer<Vec<u8>>>> {
        let ids: Vec<String> = jobs.iter().map(|job| job.id.to_string()).collect();
        let jobs: Vec<Vec<&[u8]>> = jobs
            .iter()
            .zip(&ids)
            .map(|(job, id)| vec![job.class, job.owner.as_bytes(), id.as_bytes()])
            .collect();
        self.jobs("probe-bracket", &jobs, |class, _| Ok(class))
    }

    /// Early returns, put in by ASM: the called method takes objects and returns a boolean.
    pub fn probe_skip(&mut self, jobs: &[Prologue<'_>]) -> Result<Vec<Answer<Vec<u8>>>> {
        self.probe_prologue("probe-skip", jobs)
    }

    /// Call-outs, put in by ASM: the called method takes objects and returns nothing.
    pub fn probe_call(&mut self, jobs: &[Prologue<'_>]) -> Result<Vec<Answer<Vec<u8>>>> {
        self.probe_prologue("probe-call", jobs)
    }

    /// Links classes in a fresh loader, whose classes a JVM verifies by default; for each name in
    /// order `ok` or the error in a normal form that does not depend on inserted code.
    pub fn link(&mut self, link: &Link<'_>) -> Result<Vec<String>> {
        let path: Vec<_> = link.path.iter().map(|p| p.to_string_lossy()).collect();
        let (path, names) = (path.join("\n"), link.names.join("\n"));
        let mut fields = vec![path.as_bytes(), names.as_bytes()];
        for (name, class) in link.classes {
            fields.extend([name.as_bytes(), class]);
        }
        let answer = self.request("link", &fields)?;
        answer
            .into_iter()
            .map(|line| Ok(String::from_utf8(line)?))
            .collect()
    }

    /// Links classes of a library of the corpus, beside the library itself and what it needs.
    pub fn link_library(&mut self, jar: &Path, classes: &Classes) -> Result<Vec<String>> {
        let mut path = vec![jar.to_path_buf()];
        path.extend(artifacts(LINK_PATH)?);
        let names: Vec<_> = classes.keys().cloned().collect();
        self.link(&Link {
            path: &path,
            classes,
            names: &names,
        })
    }

    /// The classes written anew by ASM, behind so many constants that nobody names: more than 255
    /// make every `ldc` an `ldc_w`.
    pub fn filled(&mut self, classes: &[&[u8]], n_constants: u16) -> Result<Vec<Answer<Vec<u8>>>> {
        let number = n_constants.to_string();
        let jobs: Vec<Vec<&[u8]>> = classes
            .iter()
            .map(|class| vec![*class, number.as_bytes()])
            .collect();
        self.jobs("fill", &jobs, |class, _| Ok(class))
    }

    /// The class with one method under another name, so that any static method can become a
    /// `<clinit>`.
    pub fn rename_method(&mut self, class: &[u8], from: (&str, &str), to: &str) -> Result<Vec<u8>> {
        let job = vec![class, from.0.as_bytes(), from.1.as_bytes(), to.as_bytes()];
        let answer = self
            .jobs("rename-method", &[job], |class, _| Ok(class))?
            .remove(0);
        answer.map_err(|trace| anyhow!("cannot rename {}{}: {trace}", from.0, from.1))
    }

    /// Runs the main method of a program in the server's JVM, in a loader of its own and with a
    /// holder of its own.
    pub fn run(&mut self, launch: &Launch<'_>) -> Result<Run> {
        let path: Vec<_> = launch.path.iter().map(|p| p.to_string_lossy()).collect();
        let path = path.join("\n");
        let mut fields = vec![path.as_bytes(), launch.main.as_bytes()];
        for (name, class) in launch.classes {
            fields.extend([name.as_bytes(), class]);
        }
        let mut answer = self
            .request("run", &fields)?
            .into_iter()
            .map(String::from_utf8);
        let mut next = || anyhow::Ok(answer.next().context("an answer of four fields")??);
        let (stdout, thrown, hits, events) = (next()?, next()?, next()?, next()?);
        let hits = hits.lines().map(str::parse).collect::<Result<_, _>>()?;
        let events = events.lines().map(str::to_owned).collect();
        Ok(Run {
            stdout,
            thrown,
            hits,
            events,
        })
    }

    /// One request of any kind; an exception in the JVM is an error with its stack trace.
    pub fn request(&mut self, command: &str, fields: &[&[u8]]) -> Result<Vec<Vec<u8>>> {
        match self.exchange(command, fields) {
            Ok((0, answer)) => Ok(answer),
            Ok((_, answer)) => {
                bail!(
                    "{command} failed on JDK {}:\n{}",
                    self.jdk.feature,
                    lossy(&answer.concat())
                )
            }
            Err(error) => {
                let said = self.stderr().unwrap_or_default();
                Err(error.context(format!(
                    "the JVM of JDK {} does not answer to {command}; it said:\n{said}",
                    self.jdk.feature
                )))
            }
        }
    }

    fn probe_prologue(
        &mut self,
        command: &str,
        jobs: &[Prologue<'_>],
    ) -> Result<Vec<Answer<Vec<u8>>>> {
        let arguments: Vec<String> = jobs
            .iter()
            .map(|job| {
                job.arguments
                    .iter()
                    .map(u8::to_string)
                    .collect::<Vec<_>>()
                    .join(",")
            })
            .collect();
        let jobs: Vec<Vec<&[u8]>> = jobs
            .iter()
            .zip(&arguments)
            .map(|(job, arguments)| {
                let names = [job.method, job.descriptor, job.owner, job.name, arguments];
                std::iter::once(job.class)
                    .chain(names.map(str::as_bytes))
                    .collect()
            })
            .collect();
        self.jobs(command, &jobs, |class, _| Ok(class))
    }

    /// Sends jobs in portions that fit well into the JVM's memory.
    fn jobs<T>(
        &mut self,
        command: &str,
        jobs: &[Vec<&[u8]>],
        read: impl Fn(Vec<u8>, Vec<u8>) -> Result<T>,
    ) -> Result<Vec<Answer<T>>> {
        let mut results = Vec::with_capacity(jobs.len());
        for portion in jobs.chunks(256) {
            let answer = self.request(command, &portion.concat())?;
            ensure!(
                answer.len() == portion.len() * 3,
                "three fields for each job"
            );
            let mut fields = answer.into_iter();
            while let (Some(status), Some(result), Some(more)) =
                (fields.next(), fields.next(), fields.next())
            {
                results.push(match status.as_slice() {
                    b"ok" => Ok(read(result, more)?),
                    _ => Err(lossy(&result)),
                });
            }
        }
        Ok(results)
    }

    fn exchange(&mut self, command: &str, fields: &[&[u8]]) -> Result<(u8, Vec<Vec<u8>>)> {
        self.requests.write_all(&length(fields.len() + 1)?)?;
        for field in std::iter::once(&command.as_bytes()).chain(fields) {
            self.requests.write_all(&length(field.len())?)?;
            self.requests.write_all(field)?;
        }
        self.requests.flush()?;
        let mut status = [0];
        self.answers.read_exact(&mut status)?;
        let mut answer = Vec::new();
        for _ in 0..self.read_length()? {
            let mut field = vec![0; self.read_length()?];
            self.answers.read_exact(&mut field)?;
            answer.push(field);
        }
        Ok((status[0], answer))
    }

    fn read_length(&mut self) -> Result<usize> {
        let mut bytes = [0; 4];
        self.answers.read_exact(&mut bytes)?;
        Ok(usize::try_from(u32::from_be_bytes(bytes))?)
    }

    fn stderr(&mut self) -> Result<String> {
        let mut text = String::new();
        self.errors.rewind()?;
        self.errors.read_to_string(&mut text)?;
        Ok(text)
    }
}

impl Drop for JavaServer {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to kill, and waiting only removes the
        // zombie.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn parse_unit(line: &str) -> Result<Unit> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [id, access, name, descriptor] = fields[..] else {
        bail!("not a unit: `{line}`")
    };
    // ASM adds flags of its own above the low 16 bits.
    let access = access.parse::<u32>()? as u16;
    Ok(Unit {
        id: id.parse()?,
        access,
        name: name.into(),
        descriptor: descriptor.into(),
    })
}

fn length(length: usize) -> Result<[u8; 4]> {
    Ok(u32::try_from(length)
        .context("a field of more than 4 GB")?
        .to_be_bytes())
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jdks::jdks;

    const HELLO: &str = "public class Hello {
        static final int[] TABLE = new int[3];
        int twice(int x) { while (x < 100) { x *= 2; } return x; }
        void both(Object a, long b, String c) { System.out.println(c); }
    }";

    fn on_every_jdk(check: impl Fn(&mut JavaServer)) {
        for jdk in jdks().unwrap() {
            check(&mut JavaServer::start(&jdk).unwrap());
        }
    }

    fn hello(server: &mut JavaServer) -> Vec<u8> {
        let classes = server.compile(&["-g"], &[("Hello.java", HELLO)]).unwrap();
        assert_eq!(classes.keys().collect::<Vec<_>>(), ["Hello"]);
        classes["Hello"].clone()
    }

    fn link_ok(server: &mut JavaServer, class: Vec<u8>) {
        let classes = Classes::from([("Hello".to_owned(), class)]);
        let names = ["Hello".to_owned()];
        let link = Link {
            path: &[],
            classes: &classes,
            names: &names,
        };
        assert_eq!(server.link(&link).unwrap(), ["ok"]);
    }

    #[test]
    fn every_jdk_compiles_and_a_wrong_source_is_an_error_with_the_line() {
        on_every_jdk(|server| {
            hello(server);
            let error = server
                .compile(&[], &[("X.java", "class X {\n int x = y; }")])
                .unwrap_err();
            assert!(error.to_string().contains("/X.java:2: error"), "{error}");
        });
    }

    #[test]
    fn a_request_after_a_failed_one_is_answered() {
        let mut server = JavaServer::start(&jdks().unwrap()[0]).unwrap();
        let error = server.request("dance", &[]).unwrap_err();
        assert!(
            error.to_string().contains("no such command: dance"),
            "{error}"
        );
        let class = hello(&mut server);
        let texts = server.texts(&[b"no class", &class]).unwrap();
        assert!(texts[0].is_err() && texts[1].is_ok());
    }

    #[test]
    fn a_jvm_that_ends_is_an_error_with_its_last_words() {
        let jdk = &jdks().unwrap()[0];
        let mut server = JavaServer::start_with(jdk, &["-XX:NoSuchOption=1"]).unwrap();
        let error = format!("{:#}", server.texts(&[b""]).unwrap_err());
        assert!(error.contains("NoSuchOption"), "{error}");
    }

    #[test]
    fn text_hides_how_and_shows_what() {
        let mut server = JavaServer::start(&jdks().unwrap()[0]).unwrap();
        let class = hello(&mut server);
        let other = server
            .compile(&["-g"], &[("Hello.java", &HELLO.replace("100", "99"))])
            .unwrap()
            .remove("Hello")
            .unwrap();
        let differences = server
            .differences(&[(&class, &class), (&class, &other)])
            .unwrap();
        assert_eq!(differences[0], Ok(None));
        let difference = differences[1].clone().unwrap().unwrap();
        assert!(
            difference.contains("- ") && difference.contains("BIPUSH 99"),
            "{difference}"
        );
    }

    #[test]
    fn entry_probes_stand_before_everything_but_the_lines_and_variables_of_the_start() {
        on_every_jdk(|server| {
            let class = hello(server);
            let job = EntryProbe {
                class: &class,
                holder: "tamis/H0",
                first: 5,
            };
            let probed = server.probe_entry(&[job]).unwrap().remove(0).unwrap();
            let units: Vec<_> = probed
                .units
                .iter()
                .map(|u| format!("{} {}{}", u.id, u.name, u.descriptor))
                .collect();
            assert_eq!(
                units,
                [
                    "5 <init>()V",
                    "6 twice(I)I",
                    "7 both(Ljava/lang/Object;JLjava/lang/String;)V",
                    "8 <clinit>()V"
                ]
            );
            let text = server.texts(&[&probed.class]).unwrap().remove(0).unwrap();
            let (_, twice) = text.split_once("  twice(I)I").unwrap();
            assert!(
                twice.starts_with(concat!(
                    "\n",
                    "   L0\n",
                    "    LINENUMBER 3 L0\n",
                    "    GETSTATIC tamis/H0.C : [B\n",
                    "    SIPUSH 6\n",
                    "    ICONST_1\n",
                    "    BASTORE\n",
                    "   L1\n",
                    "   FRAME FULL [Hello I] []\n",
                    "    ILOAD 1\n",
                )),
                "{twice}"
            );
            assert!(
                twice.contains("LOCALVARIABLE this LHello; L0 L3 0\n"),
                "{twice}"
            );
            link_ok(server, probed.class);
        });
    }

    #[test]
    fn bracket_covers_the_initialiser_on_every_way_out() {
        on_every_jdk(|server| {
            let class = hello(server);
            let job = Bracket {
                class: &class,
                owner: "tamis/T",
                id: 7,
            };
            let probed = server.probe_bracket(&[job]).unwrap().remove(0).unwrap();
            let text = server.texts(&[&probed]).unwrap().remove(0).unwrap();
            let (_, code) = text.split_once("static <clinit>()V\n").unwrap();
            assert_eq!(
                code.trim_end().trim_end_matches('}').trim_end(),
                concat!(
                    "    TRYCATCHBLOCK L0 L1 L1 null\n",
                    "   L2\n",
                    "    LINENUMBER 2 L2\n",
                    "    LDC 7\n",
                    "    INVOKESTATIC tamis/T.begin (I)V\n",
                    "   L0\n",
                    "    ICONST_3\n",
                    "    NEWARRAY T_INT\n",
                    "    PUTSTATIC Hello.TABLE : [I\n",
                    "    LDC 7\n",
                    "    INVOKESTATIC tamis/T.end (I)V\n",
                    "    RETURN\n",
                    "   L1\n",
                    "   FRAME FULL [] [java/lang/Throwable]\n",
                    "    LDC 7\n",
                    "    INVOKESTATIC tamis/T.end (I)V\n",
                    "    ATHROW\n",
                    "    MAXSTACK = 2\n",
                    "    MAXLOCALS = 0",
                )
            );
            link_ok(server, probed);
        });
    }

    #[test]
    fn prologues_pass_references_on() {
        on_every_jdk(|server| {
            let class = hello(server);
            let job = Prologue {
                class: &class,
                method: "both",
                descriptor: "(Ljava/lang/Object;JLjava/lang/String;)V",
                owner: "tamis/T",
                name: "skip",
                arguments: &[0, 3],
            };
            let skip = server.probe_skip(&[job]).unwrap().remove(0).unwrap();
            let text = server.texts(&[&skip]).unwrap().remove(0).unwrap();
            assert!(
                text.contains(concat!(
                    "    ALOAD 0\n",
                    "    ALOAD 4\n",
                    "    INVOKESTATIC tamis/T.skip (Ljava/lang/Object;Ljava/lang/Object;)Z\n",
                    "    IFEQ L1\n",
                    "    RETURN\n",
                    "   L1\n",
                    "   FRAME FULL [Hello java/lang/Object J java/lang/String] []\n",
                )),
                "{text}"
            );
            link_ok(server, skip);
            let call = server
                .probe_call(&[Prologue {
                    name: "call",
                    ..job
                }])
                .unwrap()
                .remove(0);
            link_ok(server, call.unwrap());
            let refused = server
                .probe_skip(&[Prologue {
                    arguments: &[2],
                    ..job
                }])
                .unwrap()
                .remove(0);
            assert!(refused.unwrap_err().contains("not a reference"));
        });
    }

    #[test]
    fn a_class_that_does_not_verify_is_told_without_offsets() {
        on_every_jdk(|server| {
            let mut class = hello(server);
            // `imul` becomes `dup`: one int too many at the loop's start.
            let at = class
                .windows(3)
                .position(|w| w == [0x05, 0x68, 0x3c])
                .unwrap();
            class[at + 1] = 0x59;
            let classes = Classes::from([("Hello".to_owned(), class)]);
            let names = ["Hello".to_owned(), "Missing".to_owned()];
            let ended = server
                .link(&Link {
                    path: &[],
                    classes: &classes,
                    names: &names,
                })
                .unwrap();
            assert!(ended[0].starts_with("java.lang.VerifyError: "), "{ended:?}");
            assert!(!ended[0].contains('\n'), "{ended:?}");
            assert_eq!(ended[1], "java.lang.ClassNotFoundException: Missing");
        });
    }
}
