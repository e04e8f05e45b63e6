//! Classes whose private arrays are kept or not, as the names of the fields say.

use tamis_testkit::jdks::newest_jdk;
use tamis_testkit::server::JavaServer;

use super::*;

/// Tables and copies.
const KEPT: &str = r#"package p; import java.util.*; public class Kept {
    private static final String[] keptTable = { "a", "b" };
    private static final int[][] keptRows = { { 1, 2 }, { 3 } };
    private static final long[][] keptGrid = new long[3][4];
    private static final int[] keptFilled = new int[9];
    private static final int[][] keptFilledRows = new int[2][];
    private static final char[] keptLetters = "abc".toCharArray();
    private static final byte[] keptEither;
    private static volatile String[] keptSetting = new String[0];
    private static String[] keptOther;
    private static int[] keptSwitched;
    private static double[] keptCaught;
    private static final int[] keptSorted = sorted(3, 1);
    private static final Kept[] keptObjects = { new Kept(null) };
    private final String[] keptCopy;
    private int[] keptRange = {};
    private final int[] keptFromConstructor = new int[3];
    private final int[][] keptRowsFromConstructor;
    static {
        for (int i = 0; i < keptFilled.length; i++) keptFilled[i] = i * i;
        keptFilledRows[0] = new int[] { 1 };
        keptFilledRows[0][0] = 2;
        keptEither = keptTable.length > 1 ? new byte[] { 1 } : null;
    }
    Kept(String[] given) { keptCopy = given == null ? null : given.clone(); keptFromConstructor[0] = 1;
        int[][] rows = new int[2][]; keptRowsFromConstructor = rows; rows[0] = new int[1]; put(keptRowsFromConstructor[0]); }
    private static void put(int[] numbers) { numbers[0] = 4; }
    Kept(Kept other, long wide, String... more) { keptCopy = other.keptCopy; keptRange = Arrays.copyOf(other.keptRange, 3); keptRowsFromConstructor = null; }
    static String[] copied(String... all) { return all == null ? null : all.clone(); }
    static int[] sorted(int... all) { int[] made = new int[all.length]; System.arraycopy(all, 0, made, 0, 2); Arrays.sort(made); return made; }
    private static boolean contains(String[] sorted, String key) { return Arrays.binarySearch(sorted, key) >= 0; }
    private static int total(int[] numbers, long start) { int n = (int) start; for (int one : numbers) n += one; return n; }
    boolean asks(String key) {
        String[] local = keptTable;
        if (key == null) local = keptOther;
        for (String one : local) if (one.equals(key)) return true;
        return contains(keptTable, key) || contains(keptSetting, key);
    }
    static int reads(int at) {
        int[] row = keptRows[at];
        long[] cells = keptGrid[at];
        return row[at] + row.length + total(keptFilled, 1L) + total(keptRows[0], 2L) + (int) cells[0] + keptFilledRows[0][0] + keptSorted[0];
    }
    static String text() { return new String(keptLetters) + String.valueOf(keptLetters) + Arrays.toString(keptEither) + keptObjects[0]; }
    String[] gives() { return keptCopy.clone(); }
    String[] givesCopied() { return copied(keptCopy); }
    String element() { return keptTable[0]; }
    static Kept object() { return keptObjects[0]; }
    static void sets(String[] given) {
        String[] made = new String[given.length];
        for (int i = 0; i < given.length; i++) made[i] = given[i].trim();
        Arrays.sort(made);
        keptSetting = made;
        keptOther = keptSetting;
    }
    static void switches(int kind) {
        int[] made;
        switch (kind) { case 1: made = new int[] { 1 }; break; case 2: made = new int[] { 2 }; break; default: made = null; }
        keptSwitched = made;
    }
    static double catches(String text) {
        double[] made = new double[1];
        try { made[0] = Double.parseDouble(text); } catch (NumberFormatException e) { made[0] = 0; } finally { made = made.clone(); }
        keptCaught = made;
        return keptCaught[0];
    }
    static String[] switched(int kind) {
        String[] found;
        switch (kind) { case 1: found = keptSetting; break; case 2: found = keptOther; break; default: throw new Error(); }
        return Arrays.copyOf(found, found.length);
    }
}"#;

/// Each way to lose one.
const LOST: &str = r#"package p; import java.util.*; import java.util.concurrent.atomic.*; import java.util.function.*; public class Lost {
    private static int[] lostReturned = { 1 };           static int[] returns() { return lostReturned; }
    private static int[] lostSet = { 1 };                static void sets() { lostSet[0] = 2; }
    private static int[] lostGiven;                      static void takes(int[] a) { lostGiven = a; }
    private final int[] lostInConstructor;               Lost(int[] a) { lostInConstructor = a; }
    private static int[] lostByHelper = { 1 };           private static void put(int[] a) { a[0] = 3; } static void helped() { put(lostByHelper); }
    private static int[] lostByTwo = { 1 };              private static void pass(long l, int[] a) { put(a); } static void passed() { pass(1, lostByTwo); }
    private static Object[] lostToUnknown = { 1 };       static void unknown() { System.out.println(Arrays.asList(lostToUnknown)); }
    private static Object[] lostByVarargs = { 1 };       static void varargs() { Objects.hash(lostByVarargs); }
    private static int[] lostByCapture = { 1 };          static Runnable captured() { int[] a = lostByCapture; return () -> a[0] = 1; }
    private static int[] lostInLambda = { 1 };           static Runnable inLambda() { return () -> lostInLambda[0] = 1; }
    private static int[] lostByLambdaResult = { 1 };     static Supplier<int[]> supplier() { return () -> lostByLambdaResult; }
    private static int[] lostToField = { 1 };            public static int[] shown; static void shows() { shown = lostToField; }
    private static int[] lostToArray = { 1 };            static void stores(Object[] to) { to[0] = lostToArray; }
    private static int[] lostToOwnArray = { 1 };         static Object[] boxes() { return new Object[] { lostToOwnArray }; }
    private static int[] lostByShare = { 1 };            private static int[] lostSharing; static { lostSharing = lostByShare; } static void share() { lostSharing[0] = 1; }
    private static int[] lostAlias;                      static void alias() { int[] a = new int[1]; lostAlias = a; a[0] = 7; }
    private static int[] lostDoubled;                    static void doubled() { (lostDoubled = new int[1])[0] = 7; }
    private static int[] lostFilled = { 1 };             static void fills() { Arrays.fill(lostFilled, 1); }
    private static int[] lostCopiedTo = { 1 };           static void copies(int[] a) { System.arraycopy(a, 0, lostCopiedTo, 0, 1); }
    private static int[] lostLeaked;                     static void leaks(Consumer<int[]> c) { int[] a = new int[1]; c.accept(a); lostLeaked = a; }
    private static int[] lostInHandler;                  static void thrown(Consumer<int[]> c) { int[] a = new int[1]; try { c.accept(a); } catch (Error e) { lostInHandler = a; } }
    private static int[] lostInFinally = { 1 };          static int caught() { int[] a = { 1 }; try { a = lostInFinally; Integer.parseInt(""); a = new int[1]; } finally { a[0] = 1; } return a[0]; }
    private static int[] lostByChoice = { 1 };           static void chosen(boolean b) { int[] a = b ? lostByChoice : new int[1]; a[0] = 1; }
    private static int[] lostInLoop = { 1 };             static void looped() { int[] a = new int[1]; for (int i = 0; i < 3; i++) { a[0] = i; a = lostInLoop; } }
    private static int[] lostOfChoice;                   static void setTo(boolean b, int[] c) { lostOfChoice = b ? new int[1] : c; }
    private static int[] lostFromOther;                  static void other() { lostFromOther = p.Source.make(); }
    private static int[] lostFromMemo, lostMemo;         static int[] memo() { int[] a = new int[1]; lostMemo = a; return a; } static void useMemo() { lostFromMemo = memo(); }
    private static int[][] lostRow = { { 1 } };          static int[] row() { return lostRow[0]; }
    private static int[][] lostRowSet = { { 1 } };       static void setRow() { lostRowSet[0][0] = 2; }
    private static int[][] lostInner;                    static void inner(int[] a) { int[][] rows = new int[1][]; rows[0] = a; lostInner = rows; }
    private static int[][] lostInnerOther;               static void innerOther() { int[][] rows = { p.Source.make() }; lostInnerOther = rows; }
    private static int[][] lostInnerAlias;               static void innerAlias() { int[] a = new int[1]; int[][] rows = { a }; lostInnerAlias = rows; a[0] = 1; }
    private static int[][] lostCloned = { { 1 } };       static int[][] cloned() { return lostCloned.clone(); }
    private static int[][] lostCopied = { { 1 } };       static int[][] copied() { return Arrays.copyOf(lostCopied, 1); }
    private static int[][] lostCopiedRows;               static void copyRows(int[][] a) { int[][] to = new int[1][]; System.arraycopy(a, 0, to, 0, 1); lostCopiedRows = to; }
    private static int[][] lostClonedGiven;              static void cloneGiven(int[][] a) { lostClonedGiven = a.clone(); }
    private static int[][] lostStreamed = { { 1 } };     static void stream(Consumer<int[]> c) { Arrays.stream(lostStreamed).forEach(c); }
    private static int[][] lostCast;                     static void cast(Object[] a) { lostCast = (int[][]) Arrays.copyOf(a, 1, Object[].class); }
    private int[] lostOfAnother = { 1 };                 void another(Lost other) { other.lostOfAnother[0] = 1; }
    private int[] lostOfAnotherMade;                     Lost(Lost other) { this((int[]) null); lostOfAnotherMade = new int[1]; other.lostOfAnotherMade[0] = 1; }
    private int[] lostOfThisOrAnother;                   Lost(Lost other, boolean b) { this((int[]) null); lostOfThisOrAnother = new int[1]; (b ? this : other).lostOfThisOrAnother[0] = 1; }
    private int[] lostSharedInConstructor;               Lost(Lost other, int n) { this((int[]) null); lostSharedInConstructor = other == null ? new int[1] : other.lostSharedInConstructor; lostSharedInConstructor[0] = n; }
    private int[] lostGivenBeside;                       Lost(Lost other, long n) { this((int[]) null); int[] a = new int[1]; lostGivenBeside = a; other.lostGivenBeside = a; lostGivenBeside[0] = 1; }
    private int[] lostAfterConstructor = new int[1];     void later() { this.lostAfterConstructor[0] = 1; }
    private int[] lostSetFromAnother;                    static void another(Lost other, int[] a) { other.lostSetFromAnother = a; }
    private int[] lostByOverride = { 1 };                void overridden(int[] a) { } void overrides() { overridden(lostByOverride); }
    private volatile Object[] lostToUpdater;             static final AtomicReferenceFieldUpdater<Lost, Object[]> U = AtomicReferenceFieldUpdater.newUpdater(Lost.class, Object[].class, "lostToUpdater");
    private static byte[] lostToStream = { 1 };          static void writes(java.io.OutputStream s) throws java.io.IOException { s.write(lostToStream); }
    private static byte[] lostToDecoder = { 1 };         static String decodes(java.nio.charset.Charset c) { return new String(lostToDecoder, c); }
    private static String[] lostPassedOn = { "" };       static void passesOn() { Objects.requireNonNull(lostPassedOn)[0] = "a"; }
    private static String[] lostByIdentity = { "" };     private static String[] same(String[] a) { return a; } static void identity() { same(lostByIdentity)[0] = "a"; }
    private static Object[] lostAsObject = { "" };       private static Object object() { return lostAsObject; }
    private static Object[] lostToOwnObject = { "" };    private static void takesObject(Object o) { ((Object[]) o)[0] = ""; } static void ownObject() { takesObject(lostToOwnObject); }
    private static int[] lostThrown = { 1 };             static class Carrier extends RuntimeException { int[] a; Carrier(int[] a) { this.a = a; } } static void carries() { throw new Carrier(lostThrown); }
}"#;

/// As compilers before Java 11 let inner classes get at private fields.
const INNER: &str = "package p; public class Inner { private static int[] lostToInner = { 1 };
    private static int[] keptFromInner = { 1 };
    static class Nested { int[] get() { return lostToInner; } } }";

const SOURCE: &str =
    "package p; class Source { static int[] made = { 1 }; static int[] make() { return made; } }";

#[track_caller]
fn check(sources: &[(&str, &str)], options: &[&str]) {
    let mut server = JavaServer::start(&newest_jdk().unwrap()).unwrap();
    let compiled = server.compile(options, sources).unwrap();
    let mut wrong = Vec::new();
    let mut n_fields = 0;
    for bytes in compiled.values() {
        let class = ClassFile::parse(bytes).unwrap();
        for (field, lost) in verdicts(&class).unwrap().into_iter().flatten() {
            n_fields += 1;
            let name = field.name.to_string();
            if name.starts_with("kept") != lost.is_none() {
                wrong.push(format!("{name}: {lost:?}"));
            }
        }
    }
    assert!(n_fields > 0);
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn tables_and_copies_are_kept() {
    check(&[("p/Kept.java", KEPT)], &[]);
}

#[test]
fn what_gets_away_or_is_changed_is_not_kept() {
    check(&[("p/Lost.java", LOST), ("p/Source.java", SOURCE)], &[]);
}

#[test]
fn what_inner_classes_get_by_methods_made_for_them_is_not_kept() {
    check(&[("p/Inner.java", INNER)], &["--release", "8"]);
}
