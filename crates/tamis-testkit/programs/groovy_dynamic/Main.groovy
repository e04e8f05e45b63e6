// Groovy as it comes: closures, dynamic calls, builders of strings, properties, operators, and methods found at run time.
// compile: groovy
// hits: Main: main([Ljava/lang/String;)V fact(Ljava/lang/Object;)Ljava/lang/Object; add(II)Ljava/lang/Object; add(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/Object;
// hits: Person: <init>()V getName()Ljava/lang/String; plus(LPerson;)Ljava/lang/Object; methodMissing(Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/Object;
// not: Main: unused()Ljava/lang/Object;
class Person {
    String name
    int age

    def plus(Person other) { new Person(name: name + other.name, age: age + other.age) }

    def methodMissing(String name, arguments) { "no $name of ${arguments.length}" }
}

class Main {
    static fact(n) { n <= 1 ? 1 : n * fact(n - 1) }

    static add(int a, int b) { a + b }

    static add(String a, String b) { "$a-$b" }

    static unused() { null }

    static void main(String[] arguments) {
        println fact(20)
        println add(1, 2) + add('x', 'y')
        def counter = 0
        def step = { int by = 2 -> counter += by }
        step()
        step(5)
        println counter
        println([3, 1, 2].sort().collect { it * it }.findAll { it > 1 }.sum())
        def both = new Person(name: 'ann', age: 30) + new Person(name: 'bob', age: 12)
        println "${both.name} ${both.age} ${both.vanish(1, 2)}"
        def map = [a: 1, b: [c: 2]]
        println map.b.c + map?.x?.y.toString()
        switch (both) {
            case String: println 'string'; break
            case { it.age > 40 }: println 'old'; break
            default: println 'other'
        }
        try {
            assert counter == 0 : 'counter moved'
        } catch (AssertionError e) {
            println e.message.readLines().first()
        } finally {
            println((1..5).inject { a, b -> a * b })
        }
    }
}
