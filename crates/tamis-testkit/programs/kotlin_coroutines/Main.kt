// Kotlin coroutines: suspend functions that loop, branch, catch and call each other; sequences, channels and flows.
// compile: kotlin
// hits: Main: main([Ljava/lang/String;)V
// hits: MainKt: step(ILkotlin/coroutines/Continuation;)Ljava/lang/Object; sumUp(ILkotlin/coroutines/Continuation;)Ljava/lang/Object;
// hits: MainKt: guarded(ILkotlin/coroutines/Continuation;)Ljava/lang/Object; fibonacci()Lkotlin/sequences/Sequence; numbers()Lkotlinx/coroutines/flow/Flow;
// not: MainKt: idle(Lkotlin/coroutines/Continuation;)Ljava/lang/Object;
import kotlinx.coroutines.async
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield

suspend fun step(n: Int): Int {
    if (n % 2 == 0) {
        yield()
    }
    return n * 2
}

suspend fun sumUp(limit: Int): Long {
    var sum = 0L
    var factor = 1.5
    for (i in 1..limit) {
        sum += step(i)
        if (i % 3 == 0) {
            delay(1)
            factor *= step(1)
        }
    }
    return sum + factor.toLong()
}

suspend fun guarded(n: Int): String {
    var text = ""
    try {
        text += step(n)
        check(n != 3) { "three" }
        text += "ok"
    } catch (e: IllegalStateException) {
        yield()
        text += e.message
    } finally {
        text += step(2)
    }
    return text
}

suspend fun idle() {
    delay(1)
}

fun fibonacci(): Sequence<Int> = sequence {
    var pair = Pair(0, 1)
    while (true) {
        yield(pair.first)
        pair = Pair(pair.second, pair.first + pair.second)
    }
}

fun numbers(): Flow<Int> = flow {
    for (i in 1..4) {
        yield()
        emit(i)
    }
}

class Main {
    companion object {
        @JvmStatic
        fun main(arguments: Array<String>) = runBlocking {
            println(sumUp(10))
            println(guarded(1) + " " + guarded(3))
            println(fibonacci().take(10).toList())
            println(numbers().map { step(it) }.toList())
            val first = async { sumUp(4) }
            val second = async { step(4) }
            println(first.await() + second.await())
            val channel = Channel<Int>()
            launch {
                for (i in 1..3) {
                    channel.send(i * i)
                }
                channel.close()
            }
            for (square in channel) {
                println(square)
            }
        }
    }
}
