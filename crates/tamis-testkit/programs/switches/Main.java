// Switches: dense, sparse, over strings with equal hash codes, over enums, nested, falling through, with default in the middle.
// compile: javac 7; javac 8; javac 17; ecj 8
// hits: Main: main([Ljava/lang/String;)V dense(I)I sparse(I)I text(Ljava/lang/String;)I colour(LMain$Colour;)I through(I)Ljava/lang/String; nested(II)I
// hits: Main$Colour: <clinit>()V <init>(Ljava/lang/String;I)V values()[LMain$Colour;
// not: Main: <init>()V absent(I)I
// not: Main$Colour: valueOf(Ljava/lang/String;)LMain$Colour;
// complete
public class Main {
    enum Colour { RED, GREEN, BLUE }

    static int dense(int n) {
        switch (n) {
            case 3: return 30;
            case 4: return 40;
            case 5: return 50;
            case 7: return 70;
            default: return -1;
        }
    }

    static int sparse(int n) {
        switch (n) {
            case Integer.MIN_VALUE: return 1;
            case 1000: return 2;
            case Integer.MAX_VALUE: return 3;
            case -5: return 4;
        }
        return 0;
    }

    static int text(String s) {
        switch (s) {
            case "Aa": return 1;
            case "BB": return 2;
            case "other": return 3;
            default: return 0;
        }
    }

    static int colour(Colour c) {
        switch (c) {
            case RED: return 1;
            case BLUE: return 3;
            default: return 2;
        }
    }

    static String through(int n) {
        String s = "";
        switch (n) {
            case 0: s += "zero ";
            default: s += "default ";
            case 1: s += "one ";
                break;
            case 2: s += "two ";
        }
        return s;
    }

    static int nested(int a, int b) {
        switch (a) {
            case 1:
                switch (b) {
                    case 1: return 11;
                    case 2: break;
                    case 100: return 1100;
                }
                return 10;
            case 2:
                while (true) {
                    switch (b--) {
                        case 0: return 20;
                        case 1: continue;
                        default: b /= 2;
                    }
                }
        }
        return 0;
    }

    static int absent(int n) {
        switch (n) {
            case 1: return 2;
            default: return 3;
        }
    }

    public static void main(String[] arguments) {
        for (int i = 2; i < 9; i++) {
            System.out.println(dense(i) + " " + through(i - 2));
        }
        System.out.println(sparse(Integer.MIN_VALUE) + sparse(1000) + sparse(Integer.MAX_VALUE) + sparse(-5) + sparse(0));
        System.out.println(text("Aa") + " " + text("BB") + " " + text("other") + " " + text("C#"));
        for (Colour c : Colour.values()) {
            System.out.println(c + " " + colour(c));
        }
        System.out.println(nested(1, 1) + " " + nested(1, 2) + " " + nested(1, 100) + " " + nested(2, 9) + " " + nested(3, 3));
    }
}
