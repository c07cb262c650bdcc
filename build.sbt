import Dependencies.V
import java.time.LocalDate

ThisBuild / organization := "io.holdfast"
ThisBuild / version := "0.1.0-SNAPSHOT"
ThisBuild / licenses := Seq("Apache-2.0" -> url("https://www.apache.org/licenses/LICENSE-2.0"))
ThisBuild / scalaVersion := V.Scala // only names Akka's artifacts: no Scala is compiled
ThisBuild / dependencyOverrides ++= Dependencies.overrides
ThisBuild / excludeDependencies ++= Dependencies.unwanted
Global / onChangedBuildSource := ReloadOnSourceChanges
Global / concurrentRestrictions := Seq( // in place of sbt's own, which run one forked group at a time
  Tags.limitAll(math.max(3, java.lang.Runtime.getRuntime.availableProcessors)),
  Tags.limit(Tags.ForkedTestGroup, 3), // most tests wait most of the time
  Tags.limit(StartsProcesses, 2), // which are many, and their own load
  Tags.exclusiveGroup(Tags.Clean)
)

val akkaAligned = taskKey[Unit]("Fails on mixed Akka versions, and on one that is not Apache-2.0 yet")
val simulate = inputKey[Unit]("Runs a simulation: simulate raft --seeds 1000, or --seed 7 to replay one")
val StartsProcesses = Tags.Tag("starts-processes")
val CompilerChecks = config("compiler-checks").hide
val ModelChecker = config("model-checker").hide

// ---------------------------------------------------------------- settings that several projects share

/** No Scala in the artifact's name, its dependencies or its documentation. */
lazy val plainJava = Seq(
  crossPaths := false,
  autoScalaLibrary := false,
  sourcesInBase := false, // a user's own Demo.java is none of the build's
  Compile / doc / sources := Seq.empty,
  Compile / packageDoc / publishArtifact := false
)

/** What other people's code is compiled against comes with its documentation. */
lazy val documented = Seq(
  Compile / doc / sources := (Compile / sources).value,
  Compile / doc / javacOptions := Seq("--release", "17", "-encoding", "UTF-8", "-quiet", "-Xdoclint:all,-missing"),
  Compile / packageDoc / publishArtifact := true,
  Test / packageDoc / publishArtifact := false // it would follow the line above
)

/** Every warning of javac, Error Prone and NullAway is an error. Generated sources are only compiled. */
lazy val strict = plainJava ++ inConfig(Compile)(strictJavac) ++ inConfig(Test)(strictJavac) ++ Seq(
  ivyConfigurations += CompilerChecks,
  libraryDependencies ++= Dependencies.compilerChecks.map(_ % CompilerChecks)
)

lazy val strictJavac = Seq(
  javacOptions := {
    val checks = update.value.select(configurationFilter(CompilerChecks.name)).mkString(java.io.File.pathSeparator)
    Seq("--release", "17", "-encoding", "UTF-8", "-parameters", "-Xlint:all,-processing", "-Werror") ++
      Seq("-processorpath", checks, "-XDcompilePolicy=simple", "--should-stop=ifError=FLOW") ++
      Seq(
        (Seq("-Xplugin:ErrorProne", "-XepDisableWarningsInGeneratedCode", "-XepExcludedPaths:.*/target/.*") ++
          Seq("-Xep:NullAway:ERROR", "-XepOpt:NullAway:AnnotatedPackages=io.holdfast") ++
          Seq("-Xep:StringSplitter:OFF") ++ // its cure is Guava's Splitter, which the project does not carry
          Seq(
            "-XepOpt:NullAway:UnannotatedSubPackages=io.holdfast.(v1|internal).*",
            "-XepOpt:NullAway:JSpecifyMode=true"
          ) ++
          Seq("-XepOpt:NullAway:ExcludedFieldAnnotations=org.junit.jupiter.api.io.TempDir"))
          .mkString(" ")
      )
  }
)

/** JUnit in a JVM of its own. `-Dseed=N`, `-Drewrite=true` and `-Dbounds=large`, given to sbt, reach the tests. */
lazy val tested = Seq(
  libraryDependencies ++= Dependencies.unitTest,
  Test / fork := true,
  Test / testFrameworks := Seq(jupiterTestFramework), // ScalaTest comes along with Akka's test kits
  Test / javaOptions ++= jvm ++ Seq(forSeconds) ++ Seq("seed", "rewrite", "bounds").flatMap(name =>
    sys.props.get(name).map(value => s"-D$name=$value")
  ),
  Test / testOptions += Tests.Argument(jupiterTestFramework, "-v", "--display-mode=tree"),
  Test / test / testOptions += Tests.Filter(!_.endsWith("Proof")) // `proof` runs these
)

/** Tests that start processes, in two JVMs, simulations, and all others, in two again. Only simulations run for long
  * enough to be worth all that a JVM can do to make code fast. Three run at once, two of them with processes.
  */
lazy val inGroups = Test / testGrouping := {
  val options = (Test / forkOptions).value
  val forMinutes = options.withRunJVMOptions(options.runJVMOptions.filterNot(_ == forSeconds))
  def group(test: String) =
    if (test.startsWith("io.holdfast.simulation.")) "simulations"
    else if (test.startsWith("io.holdfast.e2e.")) s"processes ${test.hashCode & 1}"
    else s"others ${test.hashCode & 1}"
  (Test / definedTests).value
    .groupBy(test => group(test.name))
    .toSeq
    .sortBy { case (name, _) => name }
    .map { case (name, tests) =>
      val tags = if (name.startsWith("processes")) Seq(StartsProcesses -> 1) else Seq.empty
      Tests.Group(name, tests, Tests.SubProcess(if (name == "simulations") forMinutes else options), tags)
    }
}

/** Tells tests what the nodes that they start have for classes, and where these are kept: the same for all projects. */
lazy val startsTestNodes = Test / javaOptions ++= Seq(
  s"-Dnode.classpath=${(LocalProject("holdfast") / Test / fullClasspath).value.files.mkString(java.io.File.pathSeparator)}",
  s"-Dnode.archive=${(ThisBuild / baseDirectory).value / "target" / "class-archive"}"
)

/** All tests of a project together, as one of the two that may start processes. */
lazy val startsProcesses =
  Test / testGrouping := (Test / testGrouping).value.map(_.withTags(Seq(StartsProcesses -> 1)))

/** Tells the tests what the artifact brings along at run time. */
lazy val knowsItsClasspath =
  Test / javaOptions += s"-Druntime.classpath=${(Runtime / fullClasspath).value.files.mkString(java.io.File.pathSeparator)}"

/** The model checker is run by a test, on a class path of its own. */
lazy val specified = Seq(
  ivyConfigurations += ModelChecker,
  libraryDependencies += Dependencies.modelChecker % ModelChecker,
  Test / javaOptions += {
    val jars = update.value.select(configurationFilter(ModelChecker.name))
    s"-Dspecification.classpath=${jars.mkString(java.io.File.pathSeparator)}"
  }
)

/** A common pool of one thread, JDK 17's choice on two cores, starts a thread for every asynchronous step. */
lazy val jvm = Seq("-Djava.util.concurrent.ForkJoinPool.common.parallelism=2") ++ nodeJvm ++ unsafe

/** The options of a node's JVM, wherever it runs. A node whose heap is used up is of no use, and may never shut down.
  */
lazy val nodeJvm = Seq("-XX:+UseParallelGC", "-XX:+ExitOnOutOfMemoryError")

/** For a JVM that runs for seconds: to compile code well would take more time than it saves. */
lazy val forSeconds = "-XX:TieredStopAtLevel=1"

/** From JDK 24 on the JVM warns of what Akka and Netty do with memory, unless it is told that this is known. */
lazy val unsafe =
  if (sys.props("java.specification.version").toDouble >= 24)
    Seq("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED")
  else Seq.empty

/** Tests of several JVMs, with JUnit. `test` runs them, too, beside no others that start processes. */
lazy val severalJvms =
  inConfig(MultiJvm)(JupiterPlugin.scopedSettings ++ strictJavac ++ JavaFormatterPlugin.toBeScopedSettings) ++ Seq(
    libraryDependencies ++= Dependencies.multiJvm.map(_ % MultiJvm),
    // The testkit is of Akka 2.8.3.
    MultiJvm / jvmOptions := jvm ++ Seq(forSeconds, "-Xmx512m", "-Dakka.fail-mixed-versions=off"),
    MultiJvm / scalatestScalaOptions := {
      val classpath = (MultiJvm / fullClasspath).value.files.mkString(java.io.File.pathSeparator)
      (test: String) => Seq("-cp", classpath, "io.holdfast.fixtures.OneJvmOfSeveral", test)
    },
    MultiJvm / executeTests := (MultiJvm / executeTests).tagw(StartsProcesses -> 2).value,
    Test / test := Result.tryValues(Seq((Test / test).result.value), (MultiJvm / test).result.value)
  )

def protos(under: String) = Seq(
  target := (ThisBuild / baseDirectory).value / "target" / s"protos-$under",
  Compile / PB.protoSources := Seq((ThisBuild / baseDirectory).value / "src" / "main" / "protobuf"),
  PB.generate / excludeFilter := new SimpleFileFilter(!_.getPath.contains(s"/holdfast/$under/")),
  PB.protocVersion := V.Protobuf,
  javacOptions := Seq("--release", "17", "-encoding", "UTF-8")
)

// ---------------------------------------------------------------- projects

/** The node. Its sources are at the top: `src/`. */
lazy val holdfast = (project in file("."))
  .enablePlugins(AkkaGrpcPlugin, JavaAppPackaging, MultiJvmPlugin)
  .configs(MultiJvm)
  .aggregate(protocol, internal, member, client, clientSpring)
  .aggregate(
    LocalProject("clientShedlock"),
    LocalProject("cli"),
    LocalProject("bench"),
    LocalProject("fencedStore"),
    LocalProject("billingSample")
  ) // which depend on this one
  .dependsOn(protocol, internal, member, client % Test)
  .settings(
    strict,
    tested,
    startsTestNodes,
    inGroups,
    knowsItsClasspath,
    specified,
    severalJvms,
    libraryDependencies ++= Dependencies.server ++ Dependencies.serverTest :+ Dependencies.healthProtos,
    // The messages exist once, in `protocol` and in grpc-services: here only the services' server side is made.
    akkaGrpcGeneratedLanguages := Seq(AkkaGrpc.Java),
    akkaGrpcGeneratedSources := Seq(AkkaGrpc.Server),
    Compile / akkaGrpcGenerators := (Compile / akkaGrpcGenerators).value.filterNot(_ == PB.gens.java),
    PB.protocVersion := V.Protobuf,
    PB.generate / excludeFilter := new SimpleFileFilter(f =>
      !f.getPath.contains("/holdfast/v1/") && !f.getPath.endsWith("/grpc/health/v1/health.proto")
    ),
    akkaAligned := {
      val complaints = LicenceDates.complaints(update.value.allModules, LocalDate.now)
      if (complaints.nonEmpty)
        throw new MessageOnlyException(complaints.mkString("Akka is not aligned:\n  ", "\n  ", ""))
    },
    Compile / compile := (Compile / compile).dependsOn(akkaAligned).value,
    Compile / mainClass := Some("io.holdfast.server.Main"),
    simulate / aggregate := false,
    simulate := NodeProcess.run(
      "io.holdfast.simulation.Simulate",
      (Test / fullClasspath).value.files,
      jvm,
      Def.spaceDelimited("<arguments>").parsed,
      baseDirectory.value
    ),
    executableScriptName := "holdfast-node",
    Universal / javaOptions ++= nodeJvm.map("-J" + _), // written into the start script's own configuration
    run / aggregate := false,
    Compile / run := NodeProcess.run(
      (Compile / mainClass).value.get,
      (Compile / fullClasspath).value.files,
      jvm,
      Def.spaceDelimited("<arguments>").parsed,
      baseDirectory.value
    )
  )

/** The public contract as Java: messages and grpc-java stubs. No code of ours. */
lazy val protocol = (project in file("src/main/protobuf/holdfast/v1"))
  .settings(
    name := "holdfast-protocol",
    plainJava,
    protos("v1"),
    libraryDependencies ++= Dependencies.protocol :+ Dependencies.grpcJavaPlugin.asProtocPlugin(),
    Compile / PB.targets := Seq(
      PB.gens.java(V.Protobuf) -> (Compile / sourceManaged).value,
      PB.gens.plugin("grpc-java") -> (Compile / sourceManaged).value
    )
  )

/** Messages between nodes, as Java. No code of ours. */
lazy val internal = (project in file("src/main/protobuf/holdfast/internal"))
  .settings(
    name := "holdfast-internal",
    plainJava,
    protos("internal"),
    libraryDependencies ++= Dependencies.internal,
    Compile / PB.targets := Seq(PB.gens.java(V.Protobuf) -> (Compile / sourceManaged).value)
  )

/** What a service in the nodes' cluster loads, and what nodes share with it. A test looks at what comes with it: no
  * Raft, no journal, no HTTP server.
  */
lazy val member = (project in file("akka"))
  .dependsOn(internal)
  .settings(
    name := "holdfast-akka",
    strict,
    documented,
    tested,
    knowsItsClasspath,
    libraryDependencies ++= Dependencies.member
  )

/** What other people's processes load. A test looks at what comes with it: no Akka, no Scala, no Cassandra. */
lazy val client = project
  .dependsOn(protocol)
  .settings(
    name := "holdfast-client",
    strict,
    documented,
    tested,
    knowsItsClasspath,
    libraryDependencies ++= Dependencies.client
  )

/** ShedLock's locks, for whoever has ShedLock. Its own tests run against a real node. */
lazy val clientShedlock = (project in file("client/shedlock"))
  .dependsOn(client, LocalProject("holdfast") % "test->test")
  .settings(
    name := "holdfast-client-shedlock",
    strict,
    documented,
    tested,
    startsTestNodes,
    startsProcesses,
    libraryDependencies ++= Dependencies.clientShedlock
  )

/** Spring Integration's locks, for whoever has Spring. */
lazy val clientSpring = (project in file("client/spring"))
  .dependsOn(client % "compile->compile;test->test")
  .settings(
    name := "holdfast-client-spring",
    strict,
    documented,
    tested,
    libraryDependencies ++= Dependencies.clientSpring
  )

lazy val cli = project
  .dependsOn(
    client % "compile->compile;runtime->runtime;test->test", // gRPC's transport is there at run time only
    LocalProject("holdfast") % "test->test"
  )
  .enablePlugins(JavaAppPackaging)
  .settings(
    name := "holdfast-cli",
    strict,
    tested,
    startsTestNodes,
    startsProcesses,
    knowsItsClasspath,
    libraryDependencies ++= Dependencies.cli,
    Compile / mainClass := Some("io.holdfast.cli.HoldfastCommand"),
    executableScriptName := "holdfast", // from src/templates: the usual script would take `--` for itself
    makeBatScripts := Seq.empty,
    Universal / stage := {
      val staged = (Universal / stage).value
      val log = streams.value.log
      // For the Java of the build, in this place. Without it the command starts all the same.
      if (sys.process.Process((staged / "bin" / "holdfast-archive").getPath).! != 0)
        log.warn("no archive of classes could be made: the command starts more slowly")
      staged
    }
  )

/** A sample: a store behind the locks, and clients that write to it. Its test runs it. */
lazy val fencedStore = (project in file("samples/fenced-store"))
  .dependsOn(client % "compile->compile;runtime->runtime", LocalProject("holdfast") % "test->test")
  .enablePlugins(JavaAppPackaging)
  .settings(
    name := "holdfast-sample-fenced-store",
    strict,
    tested,
    startsTestNodes,
    startsProcesses,
    knowsItsClasspath,
    libraryDependencies ++= Dependencies.sample,
    Compile / mainClass := Some("io.holdfast.samples.store.FencedStore"),
    makeBatScripts := Seq.empty
  )

lazy val bench = project
  .dependsOn(client, holdfast)
  .settings(
    name := "holdfast-bench",
    strict,
    tested,
    startsProcesses,
    libraryDependencies ++= Dependencies.bench,
    Test / javaOptions += s"$startsNodes $forSeconds",
    Compile / mainClass := Some("io.holdfast.bench.Bench"),
    Compile / run := NodeProcess.run(
      (Compile / mainClass).value.get,
      (Compile / fullClasspath).value.files,
      jvm :+ startsNodes,
      Def.spaceDelimited("<arguments>").parsed,
      (ThisBuild / baseDirectory).value
    )
  )

/** Tells the benchmarks how to start nodes. */
lazy val startsNodes = s"-Dnode.jvm=${nodeJvm.mkString(" ")}"

/** A service in the nodes' cluster, as other people write theirs. */
lazy val billingSample = (project in file("samples/service"))
  .dependsOn(member, holdfast % "test->test")
  .settings(
    name := "holdfast-sample-billing",
    strict,
    tested,
    startsTestNodes,
    startsProcesses,
    knowsItsClasspath,
    libraryDependencies ++= Dependencies.memberSample,
    Compile / mainClass := Some("io.holdfast.samples.billing.BillingMain"),
    Compile / run := NodeProcess.run(
      (Compile / mainClass).value.get,
      (Compile / fullClasspath).value.files,
      jvm,
      Def.spaceDelimited("<arguments>").parsed,
      baseDirectory.value
    )
  )

// ---------------------------------------------------------------- commands

addCommandAlias("bench", "bench/run")
addCommandAlias("quick", "testOnly * -io.holdfast.e2e.* -io.holdfast.bench.* -*Proof -- --exclude-tags=slow")
addCommandAlias("proof", "testOnly *Proof")
addCommandAlias("e2e", "holdfast / testOnly io.holdfast.e2e.*")
addCommandAlias("format", "javafmtAll; scalafmtSbt; scalafmtAll")
addCommandAlias("formatCheck", "javafmtCheckAll; scalafmtSbtCheck; scalafmtCheckAll")
