import java.time.LocalDate

import sbt._

/** Akka's releases since 2.7 are under the Business Source Licence until a date of their own, and Apache-2.0 from then
  * on. This check lets a build pass only if all of Akka has the versions named in Dependencies.scala and the date of
  * each has come.
  */
object LicenceDates {
  import Dependencies.V

  private case class Family(organization: String, prefix: String, version: String, changeDate: LocalDate)

  private val families = Seq(
    Family("com.typesafe.akka", "akka-http", V.AkkaHttp, LocalDate.of(2026, 10, 16)),
    Family("com.typesafe.akka", "akka-parsing", V.AkkaHttp, LocalDate.of(2026, 10, 16)),
    Family(
      "com.typesafe.akka",
      "akka-multi-node-testkit",
      V.MultiNodeTestkit,
      LocalDate.of(2026, 9, 20)
    ), // or earlier: it is older than 2.8.5
    Family(
      "com.typesafe.akka",
      "akka-persistence-tck",
      V.PersistenceTck,
      LocalDate.EPOCH
    ), // Apache-2.0 from its first day
    Family("com.typesafe.akka", "akka-", V.Akka, LocalDate.of(2026, 9, 20)),
    Family("com.lightbend.akka.grpc", "akka-grpc-", V.AkkaGrpc, LocalDate.of(2026, 9, 1)),
    Family("com.lightbend.akka.management", "akka-", V.AkkaManagement, LocalDate.of(2026, 5, 9))
  )

  /** One sentence for each module that is mixed in at another version, or whose date lies ahead. */
  def complaints(modules: Seq[ModuleID], today: LocalDate): Seq[String] =
    for {
      module <- modules.distinct
      if module.organization.startsWith("com.typesafe.akka") || module.organization.startsWith("com.lightbend.akka")
      complaint <- families.find(f => f.organization == module.organization && module.name.startsWith(f.prefix)) match {
        case None => Some(s"${at(module)} is of no known Akka family: add its version and change date to LicenceDates")
        case Some(family) if family.version != module.revision =>
          Some(s"${at(module)} is mixed in: expected version [${family.version}]")
        case Some(family) if family.changeDate.isAfter(today) =>
          Some(s"${at(module)} becomes Apache-2.0 on [${family.changeDate}], which lies ahead of [$today]")
        case _ => None
      }
    } yield complaint

  private def at(module: ModuleID) = s"${module.organization}:${module.name}:${module.revision}"
}
