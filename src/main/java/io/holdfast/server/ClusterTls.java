package io.holdfast.server;

import akka.actor.BootstrapSetup;
import akka.actor.setup.ActorSystemSetup;
import akka.actor.setup.Setup;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import akka.remote.artery.tcp.SSLEngineProvider;
import akka.remote.artery.tcp.SSLEngineProviderSetup;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.holdfast.config.TlsSettings;
import io.holdfast.raft.link.LinkSecurity;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * Mutual TLS between the nodes' actors, by the rules of that between members of the log: both ends
 * show a certificate, and that of a node names the host that was dialed.
 *
 * <p>Nothing of Akka's own protocol is read before the handshake is over: its framing and its
 * messages trust whoever speaks.
 */
final class ClusterTls implements SSLEngineProvider {

  private final LinkSecurity security;

  private ClusterTls(LinkSecurity security) {
    this.security = security;
  }

  /** By the files; null without them. */
  static @Nullable ClusterTls of(@Nullable TlsSettings files) throws StartFailure {
    return files == null
        ? null
        : new ClusterTls(
            new LinkSecurity(
                PemFiles.context("holdfast.cluster.tls", files), files.verifyHostNames()));
  }

  /** Makes a node's actor system, whose links are secured so; null for clear text. */
  static ActorSystem<Void> system(@Nullable ClusterTls tls, Config config, Setup coordination) {
    Config used =
        tls == null
            ? config
            : ConfigFactory.parseString("akka.remote.artery.transport = tls-tcp")
                .withFallback(config);
    ActorSystemSetup setup = ActorSystemSetup.create(BootstrapSetup.create(used), coordination);
    return ActorSystem.create(
        Behaviors.empty(),
        "holdfast",
        tls == null ? setup : setup.withSetup(SSLEngineProviderSetup.create(system -> tls)));
  }

  @Override
  public SSLEngine createServerSSLEngine(String host, int port) {
    return security.accepting();
  }

  @Override
  public SSLEngine createClientSSLEngine(String host, int port) {
    return security.dialing(host + ":" + port);
  }

  /* The engines have judged the certificates. */
  @Override
  public Option<Throwable> verifyClientSession(String host, SSLSession session) {
    return Option.empty();
  }

  @Override
  public Option<Throwable> verifyServerSession(String host, SSLSession session) {
    return Option.empty();
  }
}
