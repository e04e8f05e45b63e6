// Scala: pattern matching, lazy values, traits with state, closures, case classes, by-name arguments and for comprehensions.
// compile: scala
// hits: Main: main([Ljava/lang/String;)V
// hits: Main$: <clinit>()V <init>()V describe(Ljava/lang/Object;)Ljava/lang/String; eval(LExpr;)I twice(Lscala/Function0;)I nonLocal(Lscala/collection/immutable/List;)I
// hits: Num: <init>(I)V value()I
// hits: Add: left()LExpr; right()LExpr;
// hits: Loud: greet()Ljava/lang/String;
// hits: Person: <init>(Ljava/lang/String;)V greet()Ljava/lang/String; expensive()I name()Ljava/lang/String;
// not: Main$: unused(I)I
// not: Num: hashCode()I
sealed trait Expr
case class Num(value: Int) extends Expr
case class Add(left: Expr, right: Expr) extends Expr
case class Mul(left: Expr, right: Expr) extends Expr
case object Zero extends Expr

trait Greeter {
  def name: String
  def greet: String = "hello " + name
}

trait Loud extends Greeter {
  var volume: Int = 3
  override def greet: String = super.greet.toUpperCase + "!" * volume
}

class Person(val name: String) extends Greeter with Loud {
  lazy val expensive: Int = {
    println("computing")
    name.length * 2
  }
  volume += 1
}

object Main {
  def describe(any: Any): String = any match {
    case null                       => "nothing"
    case 0 | 1                      => "small"
    case n: Int if n > 100          => s"big $n"
    case n: Int                     => s"int $n"
    case "magic"                    => "magic word"
    case s: String                  => s"text ${s.length}"
    case (a: Int, b)                => s"pair $a $b"
    case List(first, _, rest @ _*)  => s"list $first ${rest.size}"
    case Some(Num(n))               => s"some $n"
    case _                          => "something"
  }

  def eval(e: Expr): Int = e match {
    case Num(n)              => n
    case Add(Zero, r)        => eval(r)
    case Add(l, r)           => eval(l) + eval(r)
    case Mul(Num(0), _)      => 0
    case Mul(l, r)           => eval(l) * eval(r)
    case Zero                => 0
  }

  def twice(block: => Int): Int = block + block

  def nonLocal(list: List[Int]): Int = {
    list.foreach { n => if (n > 10) return n }
    -1
  }

  def unused(n: Int): Int = n

  def main(arguments: Array[String]): Unit = {
    for (any <- Seq(null, 1, 50, 500, "magic", "word", (1, 'x'), List(1, 2, 3), Some(Num(4)), 2.5)) println(describe(any))
    println(eval(Add(Mul(Num(3), Num(4)), Add(Zero, Mul(Num(0), Num(9))))))
    var counter = 0
    println(twice { counter += 1; counter })
    println(nonLocal(List(1, 20, 30)))
    val person = new Person("ann")
    println(person.greet)
    println(person.expensive + person.expensive)
    println((for { a <- 1 to 3; b <- a to 3 if (a + b) % 2 == 0 } yield a * b).mkString(","))
    def loop(n: Int, acc: Long): Long = if (n == 0) acc else loop(n - 1, acc * n)
    println(loop(15, 1L))
    try sys.error("broken")
    catch { case e: RuntimeException => println(e.getMessage) }
    finally println("done")
    val partial: PartialFunction[Int, String] = { case n if n % 2 == 0 => "even" }
    println((1 to 4).collect(partial).size)
  }
}
