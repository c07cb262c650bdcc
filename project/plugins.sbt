// Plugins of the build. sbt resolves them before it reads Dependencies.scala, so their versions stand here.

// Server interfaces from the protos; brings sbt-protoc, which also makes the messages.
addSbtPlugin("com.lightbend.akka.grpc" % "sbt-akka-grpc" % "2.3.4")
// google-java-format as a check and a command.
addSbtPlugin("com.github.sbt" % "sbt-java-formatter" % "0.10.0")
// The same for the build's own files.
addSbtPlugin("org.scalameta" % "sbt-scalafmt" % "2.5.6")
// JUnit Jupiter under sbt's test task.
addSbtPlugin("com.github.sbt.junit" % "sbt-jupiter-interface" % "0.17.0")
// Tests that need several JVMs.
addSbtPlugin("com.github.sbt" % "sbt-multi-jvm" % "0.6.0")
// `stage`: a folder with start scripts and jars, for deployment.
addSbtPlugin("com.github.sbt" % "sbt-native-packager" % "1.11.7")

// The formatter itself: the last release that runs on JDK 17, and one that runs on JDK 25.
libraryDependencies += "com.google.googlejavaformat" % "google-java-format" % "1.28.0"
