// Long and double locals, more than 256 of them, wide iinc, casts, comparisons of NaN, and arrays of arrays.
// compile: javac 4; javac 8; javac 25; ecj 8
// hits: Main: main([Ljava/lang/String;)V wide(I)I mixed(IJFDLjava/lang/String;)D compare(DF)I casts(DJI)Ljava/lang/String; arrays(I)I
// not: Main: <init>()V idle(JD)V
// complete
public class Main {
    static int wide(int n) {
        int v0 = n + 0;
        int v1 = n + 1;
        int v2 = n + 2;
        int v3 = n + 3;
        int v4 = n + 4;
        int v5 = n + 5;
        int v6 = n + 6;
        int v7 = n + 7;
        int v8 = n + 8;
        int v9 = n + 9;
        int v10 = n + 10;
        int v11 = n + 11;
        int v12 = n + 12;
        int v13 = n + 13;
        int v14 = n + 14;
        int v15 = n + 15;
        int v16 = n + 16;
        int v17 = n + 17;
        int v18 = n + 18;
        int v19 = n + 19;
        int v20 = n + 20;
        int v21 = n + 21;
        int v22 = n + 22;
        int v23 = n + 23;
        int v24 = n + 24;
        int v25 = n + 25;
        int v26 = n + 26;
        int v27 = n + 27;
        int v28 = n + 28;
        int v29 = n + 29;
        int v30 = n + 30;
        int v31 = n + 31;
        int v32 = n + 32;
        int v33 = n + 33;
        int v34 = n + 34;
        int v35 = n + 35;
        int v36 = n + 36;
        int v37 = n + 37;
        int v38 = n + 38;
        int v39 = n + 39;
        int v40 = n + 40;
        int v41 = n + 41;
        int v42 = n + 42;
        int v43 = n + 43;
        int v44 = n + 44;
        int v45 = n + 45;
        int v46 = n + 46;
        int v47 = n + 47;
        int v48 = n + 48;
        int v49 = n + 49;
        int v50 = n + 50;
        int v51 = n + 51;
        int v52 = n + 52;
        int v53 = n + 53;
        int v54 = n + 54;
        int v55 = n + 55;
        int v56 = n + 56;
        int v57 = n + 57;
        int v58 = n + 58;
        int v59 = n + 59;
        int v60 = n + 60;
        int v61 = n + 61;
        int v62 = n + 62;
        int v63 = n + 63;
        int v64 = n + 64;
        int v65 = n + 65;
        int v66 = n + 66;
        int v67 = n + 67;
        int v68 = n + 68;
        int v69 = n + 69;
        int v70 = n + 70;
        int v71 = n + 71;
        int v72 = n + 72;
        int v73 = n + 73;
        int v74 = n + 74;
        int v75 = n + 75;
        int v76 = n + 76;
        int v77 = n + 77;
        int v78 = n + 78;
        int v79 = n + 79;
        int v80 = n + 80;
        int v81 = n + 81;
        int v82 = n + 82;
        int v83 = n + 83;
        int v84 = n + 84;
        int v85 = n + 85;
        int v86 = n + 86;
        int v87 = n + 87;
        int v88 = n + 88;
        int v89 = n + 89;
        int v90 = n + 90;
        int v91 = n + 91;
        int v92 = n + 92;
        int v93 = n + 93;
        int v94 = n + 94;
        int v95 = n + 95;
        int v96 = n + 96;
        int v97 = n + 97;
        int v98 = n + 98;
        int v99 = n + 99;
        int v100 = n + 100;
        int v101 = n + 101;
        int v102 = n + 102;
        int v103 = n + 103;
        int v104 = n + 104;
        int v105 = n + 105;
        int v106 = n + 106;
        int v107 = n + 107;
        int v108 = n + 108;
        int v109 = n + 109;
        int v110 = n + 110;
        int v111 = n + 111;
        int v112 = n + 112;
        int v113 = n + 113;
        int v114 = n + 114;
        int v115 = n + 115;
        int v116 = n + 116;
        int v117 = n + 117;
        int v118 = n + 118;
        int v119 = n + 119;
        int v120 = n + 120;
        int v121 = n + 121;
        int v122 = n + 122;
        int v123 = n + 123;
        int v124 = n + 124;
        int v125 = n + 125;
        int v126 = n + 126;
        int v127 = n + 127;
        int v128 = n + 128;
        int v129 = n + 129;
        int v130 = n + 130;
        int v131 = n + 131;
        int v132 = n + 132;
        int v133 = n + 133;
        int v134 = n + 134;
        int v135 = n + 135;
        int v136 = n + 136;
        int v137 = n + 137;
        int v138 = n + 138;
        int v139 = n + 139;
        int v140 = n + 140;
        int v141 = n + 141;
        int v142 = n + 142;
        int v143 = n + 143;
        int v144 = n + 144;
        int v145 = n + 145;
        int v146 = n + 146;
        int v147 = n + 147;
        int v148 = n + 148;
        int v149 = n + 149;
        int v150 = n + 150;
        int v151 = n + 151;
        int v152 = n + 152;
        int v153 = n + 153;
        int v154 = n + 154;
        int v155 = n + 155;
        int v156 = n + 156;
        int v157 = n + 157;
        int v158 = n + 158;
        int v159 = n + 159;
        int v160 = n + 160;
        int v161 = n + 161;
        int v162 = n + 162;
        int v163 = n + 163;
        int v164 = n + 164;
        int v165 = n + 165;
        int v166 = n + 166;
        int v167 = n + 167;
        int v168 = n + 168;
        int v169 = n + 169;
        int v170 = n + 170;
        int v171 = n + 171;
        int v172 = n + 172;
        int v173 = n + 173;
        int v174 = n + 174;
        int v175 = n + 175;
        int v176 = n + 176;
        int v177 = n + 177;
        int v178 = n + 178;
        int v179 = n + 179;
        int v180 = n + 180;
        int v181 = n + 181;
        int v182 = n + 182;
        int v183 = n + 183;
        int v184 = n + 184;
        int v185 = n + 185;
        int v186 = n + 186;
        int v187 = n + 187;
        int v188 = n + 188;
        int v189 = n + 189;
        int v190 = n + 190;
        int v191 = n + 191;
        int v192 = n + 192;
        int v193 = n + 193;
        int v194 = n + 194;
        int v195 = n + 195;
        int v196 = n + 196;
        int v197 = n + 197;
        int v198 = n + 198;
        int v199 = n + 199;
        int v200 = n + 200;
        int v201 = n + 201;
        int v202 = n + 202;
        int v203 = n + 203;
        int v204 = n + 204;
        int v205 = n + 205;
        int v206 = n + 206;
        int v207 = n + 207;
        int v208 = n + 208;
        int v209 = n + 209;
        int v210 = n + 210;
        int v211 = n + 211;
        int v212 = n + 212;
        int v213 = n + 213;
        int v214 = n + 214;
        int v215 = n + 215;
        int v216 = n + 216;
        int v217 = n + 217;
        int v218 = n + 218;
        int v219 = n + 219;
        int v220 = n + 220;
        int v221 = n + 221;
        int v222 = n + 222;
        int v223 = n + 223;
        int v224 = n + 224;
        int v225 = n + 225;
        int v226 = n + 226;
        int v227 = n + 227;
        int v228 = n + 228;
        int v229 = n + 229;
        int v230 = n + 230;
        int v231 = n + 231;
        int v232 = n + 232;
        int v233 = n + 233;
        int v234 = n + 234;
        int v235 = n + 235;
        int v236 = n + 236;
        int v237 = n + 237;
        int v238 = n + 238;
        int v239 = n + 239;
        int v240 = n + 240;
        int v241 = n + 241;
        int v242 = n + 242;
        int v243 = n + 243;
        int v244 = n + 244;
        int v245 = n + 245;
        int v246 = n + 246;
        int v247 = n + 247;
        int v248 = n + 248;
        int v249 = n + 249;
        int v250 = n + 250;
        int v251 = n + 251;
        int v252 = n + 252;
        int v253 = n + 253;
        int v254 = n + 254;
        int v255 = n + 255;
        int v256 = n + 256;
        int v257 = n + 257;
        int v258 = n + 258;
        int v259 = n + 259;
        for (int i = 0; i < 5; i++) {
            v259 += 1000;
            v3 += -300;
            v258++;
        }
        long l = n;
        double d = l * 2.5;
        l += (long) d;
        return v0 + v20 + v40 + v60 + v80 + v100 + v120 + v140 + v160 + v180 + v200 + v220 + v240 + v259 + v3 + v258 + (int) l;
    }

    static double mixed(int i, long j, float f, double d, String s) {
        long k = j;
        for (double x = d; x > 1; x /= 2) {
            long t = k + i;
            k = t ^ (t >>> 3);
            f *= 1.5f;
        }
        return k + f + s.length();
    }

    static int compare(double d, float f) {
        int result = 0;
        if (d < 1) {
            result |= 1;
        }
        if (d > 1) {
            result |= 2;
        }
        if (!(d <= 1)) {
            result |= 4;
        }
        if (f != f) {
            result |= 8;
        }
        return result;
    }

    static String casts(double d, long l, int i) {
        return (int) d + " " + (long) d + " " + (float) l + " " + (byte) i + " " + (char) (i & 127) + " " + (short) l + " " + (-l >> 2)
            + " " + (i >>> 28) + " " + (l % 7) + " " + (d % 0.7 > 0);
    }

    static int arrays(int n) {
        int[][][] cube = new int[n][n][];
        long[] longs = new long[n];
        boolean[] flags = {true, false, true};
        cube[1][2] = new int[] {4, 5, 6};
        cube[1][2][1] += ++cube[1][2][0];
        longs[2] = longs[1]++ + cube[1][2][1]--;
        return cube[1][2][1] + (int) longs[2] + (int) longs[1] + (flags[2] ? flags.length : 0);
    }

    static void idle(long a, double b) {
        throw new Error();
    }

    public static void main(String[] arguments) {
        System.out.println(wide(1));
        System.out.println(mixed(1, 1L << 35, 2.5f, 1000.0, "four"));
        System.out.println(compare(0, 0) + " " + compare(2, 1) + " " + compare(Double.NaN, Float.NaN));
        System.out.println(casts(-1e20, 123456789012L, -200));
        System.out.println(arrays(3));
    }
}
