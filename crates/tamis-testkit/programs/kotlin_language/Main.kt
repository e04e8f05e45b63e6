// Kotlin: data classes, when, inline functions, lambdas, companions, delegates, extension functions and sealed classes.
// compile: kotlin
// hits: Main: main([Ljava/lang/String;)V
// hits: Point: <init>(II)V getX()I component1()I component2()I copy(II)LPoint; toString()Ljava/lang/String; equals(Ljava/lang/Object;)Z
// hits: Shape$Circle: <init>(D)V getRadius()D
// hits: Counter: <clinit>()V <init>(I)V increment()I
// hits: Counter$Companion: <init>()V make()LCounter;
// hits: Registry: <clinit>()V <init>()V register(Ljava/lang/String;)I
// hits: MainKt: describe(Ljava/lang/Object;)Ljava/lang/String; area(LShape;)D shout(Ljava/lang/String;I)Ljava/lang/String; firstBig(Ljava/util/List;)I
// not: Point: getY()I hashCode()I
// not: Counter: unused()V
// not: MainKt: never(I)I
data class Point(val x: Int, val y: Int)

sealed class Shape {
    class Circle(val radius: Double) : Shape()
    class Square(val side: Double) : Shape()
    object Nothing : Shape()
}

class Counter private constructor(private var count: Int) {
    companion object {
        @JvmStatic
        fun make() = Counter(10)

        const val STEP = 5
        val started = "started".uppercase()
    }

    val lazyName: String by lazy { "counter of $count" }

    fun increment(): Int {
        count += STEP
        return count
    }

    fun unused() = Unit
}

object Registry {
    private val names = mutableListOf<String>()

    fun register(name: String): Int {
        names += name
        return names.size
    }
}

fun describe(any: Any?): String = when (any) {
    null -> "nothing"
    0, 1 -> "small"
    in 2..9 -> "digit"
    is Int -> if (any > 100) "big" else "int"
    is String -> when {
        any.isEmpty() -> "empty"
        else -> "text ${any.length}"
    }
    is Point -> "point ${any.x}"
    else -> "something"
}

fun area(shape: Shape): Double = when (shape) {
    is Shape.Circle -> 3 * shape.radius * shape.radius
    is Shape.Square -> shape.side * shape.side
    Shape.Nothing -> 0.0
}

inline fun <T> timesTwo(value: T, block: (T) -> T): T = block(block(value))

inline fun <reified T> countOf(list: List<Any>): Int = list.count { it is T }

fun String.shout(marks: Int = 1): String = uppercase() + "!".repeat(marks)

fun firstBig(list: List<Int>): Int {
    list.forEach { if (it > 10) return it }
    return -1
}

tailrec fun never(n: Int): Int = if (n == 0) 0 else never(n - 1)

class Main {
    companion object {
        @JvmStatic
        fun main(arguments: Array<String>) {
            val (x, y) = Point(1, 2)
            println("$x $y ${Point(1, 2).copy(y = 5)} ${Point(1, 2) == Point(1, 2)}")
            for (any in listOf(null, 1, 7, 50, 500, "", "abc", Point(9, 9), 1.5)) {
                println(describe(any))
            }
            println(listOf(Shape.Circle(2.0), Shape.Square(3.0), Shape.Nothing).map(::area))
            var captured = 0
            println(timesTwo(3) { captured++; it * it } + captured)
            println(countOf<String>(listOf("a", 1, "b")))
            println("hi".shout() + "ho".shout(3))
            println(firstBig(listOf(1, 20, 30)))
            val counter = Counter.make()
            println("${counter.increment()} ${counter.lazyName} ${Counter.started}")
            println(Registry.register("a") + Registry.register("b"))
            val text: String? = if (captured > 100) "x" else null
            println(text?.length ?: "none")
            try {
                println(requireNotNull(text) { "text is missing" })
            } catch (e: IllegalArgumentException) {
                println(e.message)
            } finally {
                println("done")
            }
            println((1..10 step 3).sumOf { it * 2 } + (10 downTo 1).count { it % 2 == 0 })
        }
    }
}
