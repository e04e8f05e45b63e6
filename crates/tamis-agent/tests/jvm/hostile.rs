//! Peers and programs that do the worst they can: the tests go on.

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::process::Output;
use std::thread;
use std::time::{Duration, Instant};

use tamis_build::Jdk;
use tamis_testkit::jdks::{jdks, newest_jdk};
use tamis_wire::Bye;

use crate::peer::{Peer, accept, java};
use crate::small::Small;

/// How long the agent waits for its peer, in all.
const PATIENCE: Duration = Duration::from_secs(5);

/// Loads a class as often as it is told to, so that there is much to tell.
const BUSY: &str = "
    public class Main extends ClassLoader {
        static class Other { static int x = 1; }
        public static void main(String[] a) throws Exception {
            byte[] b = new byte[9999];
            int n = Main.class.getResourceAsStream(\"Main$Other.class\").read(b);
            int loads = Integer.parseInt(a[0]);
            for (int i = 0; i < loads; i++) new Main().defineClass(\"Main$Other\", b, 0, n);
            System.out.print(\"done\");
        }
    }";

fn check(jdk: &Jdk, behave: impl FnOnce(&mut UnixStream) + Send) {
    let small = Small::new(jdk, BUSY);
    let (output, ()) = Peer::new().run_with(jdk, &["-cp", small.path(), "Main", "500"], behave);
    assert_done(&output);
}

fn assert_done(output: &Output) {
    assert!(output.status.success(), "{output:?}");
    assert_eq!(
        (&output.stdout[..], &output.stderr[..]),
        (&b"done"[..], &b""[..])
    );
}

#[test]
fn a_peer_that_sends_garbage() {
    for jdk in jdks().unwrap() {
        check(&jdk, |stream| stream.write_all(&[0xff; 4096]).unwrap());
    }
    let jdk = newest_jdk().unwrap();
    check(&jdk, |stream| {
        accept(stream);
        // The agent expects nothing more, and does not read it.
        let _ = stream.write_all(&[0xff; 4096]);
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all);
    });
}

#[test]
fn a_peer_that_goes_away() {
    for jdk in jdks().unwrap() {
        check(&jdk, |_| {});
        check(&jdk, |stream| {
            accept(stream);
            let mut hello = [0; 100];
            stream.read_exact(&mut hello).unwrap();
        });
    }
}

/// It accepts and never reads again, as a stopped process would; there is more to tell than the system
/// keeps for a socket.
#[test]
fn a_peer_that_stops() {
    let jdk = newest_jdk().unwrap();
    let small = Small::new(&jdk, BUSY);
    let arguments = ["-cp", small.path(), "Main", "20000"];
    let start = Instant::now();
    let (output, ()) = Peer::new().run_with(&jdk, &arguments, |stream| {
        accept(stream);
        // Longer than the agent waits.
        thread::sleep(2 * PATIENCE);
    });
    assert_done(&output);
    assert!(start.elapsed() < 6 * PATIENCE, "{:?}", start.elapsed());
}

/// The program closes every descriptor but its own three, and opens files that get their numbers.
#[test]
fn a_program_that_closes_descriptors() {
    let source = "
        import java.io.*;
        import java.lang.reflect.*;
        class Main {
            static class Later { static int x = 1; }
            public static void main(String[] a) throws Exception {
                Field number = FileDescriptor.class.getDeclaredField(\"fd\");
                number.setAccessible(true);
                for (int i = 3; i < 64; i++) {
                    File link = new File(\"/proc/self/fd/\" + i);
                    if (!java.nio.file.Files.isSymbolicLink(link.toPath())) continue;
                    String target = java.nio.file.Files.readSymbolicLink(link.toPath()).toString();
                    if (!target.startsWith(\"socket:\")) continue;
                    FileDescriptor fd = new FileDescriptor();
                    number.setInt(fd, i);
                    new FileOutputStream(fd).close();
                }
                FileOutputStream out = new FileOutputStream(a[0]);
                System.out.print(Later.x);
                out.close();
                System.out.print(new File(a[0]).length());
            }
        }";
    for jdk in jdks().unwrap() {
        let small = Small::new(&jdk, source);
        let file = small.dir.path().join("file");
        let open = "--add-opens=java.base/java.io=ALL-UNNAMED";
        let mut arguments = vec!["-cp", small.path(), "Main", file.to_str().unwrap()];
        if jdk.feature >= 9 {
            arguments.insert(0, open);
        }
        let (output, told) = Peer::new().run(&jdk, &arguments);
        assert_eq!(
            String::from_utf8_lossy(&output.stderr),
            "",
            "JDK {}",
            jdk.feature
        );
        assert_eq!(output.stdout, b"10", "nothing of ours is in the file");
        assert!(told.bye.is_none(), "JDK {}", jdk.feature);
    }
}

/// Classes that are cut short fail as they do without the agent. Classes with a wrong byte in them fail
/// or not, and do no harm.
#[test]
fn classes_that_are_none() {
    let source = "
        public class Main extends ClassLoader {
            static String define(byte[] b) {
                try { return new Main().defineClass(null, b, 0, b.length).getName(); }
                catch (Throwable e) { return e.toString(); }
            }
            public static void main(String[] a) throws Exception {
                byte[] b = new byte[9999];
                int n = Main.class.getResourceAsStream(\"Main.class\").read(b);
                System.out.println(define(new byte[0]));
                System.out.println(define(new byte[100]));
                for (int i = 1; i < n; i += 7)
                    System.out.println(define(java.util.Arrays.copyOf(b, n - i)));
                for (int i = 8; i < n; i++) {
                    byte[] c = java.util.Arrays.copyOf(b, n);
                    c[i] ^= 0x55;
                    define(c);
                }
            }
        }";
    for jdk in jdks().unwrap() {
        let small = Small::new(&jdk, source);
        let arguments = ["-cp", small.path(), "Main"];
        let plain = java(&jdk).args(arguments).output().unwrap();
        let (output, told) = Peer::new().run(&jdk, &arguments);
        assert_eq!(output, plain, "JDK {}", jdk.feature);
        assert_eq!(told.bye, Some(Bye::Complete));
    }
}
