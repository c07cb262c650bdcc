package io.holdfast.grpc.guard;

import akka.NotUsed;
import akka.stream.IgnoreComplete$;
import akka.stream.TLSProtocol;
import akka.stream.javadsl.BidiFlow;
import akka.stream.javadsl.Flow;
import akka.stream.javadsl.TLS;
import akka.util.ByteString;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/**
 * The TLS settings for connections of clients: only TLS 1.3, which has no renegotiation, and only
 * ciphers that HTTP/2 allows.
 *
 * @param context the node's key, and the certificate authorities of clients
 * @param clientsShowCertificates true if a client without a certificate of these is refused
 */
public record ServerSecurity(SSLContext context, boolean clientsShowCertificates) {

  private static final String[] PROTOCOLS = {"TLSv1.3"};
  private static final String[] APPLICATION_PROTOCOLS = {"h2"};

  /** Creates the server's side of one connection. */
  BidiFlow<ByteString, ByteString, ByteString, ByteString, NotUsed> tls() {
    Flow<ByteString, TLSProtocol.SslTlsOutbound, NotUsed> out =
        Flow.of(ByteString.class).map(TLSProtocol.SendBytes::new);
    Flow<TLSProtocol.SslTlsInbound, ByteString, NotUsed> in =
        Flow.of(TLSProtocol.SslTlsInbound.class)
            .collectType(TLSProtocol.SessionBytes.class)
            .map(TLSProtocol.SessionBytes::bytes);
    return BidiFlow.fromFlows(out, in)
        .atop(
            TLS.create(
                this::engine,
                session -> {}, // the context has checked the certificates
                IgnoreComplete$.MODULE$));
  }

  private SSLEngine engine() {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(false);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(PROTOCOLS);
    parameters.setApplicationProtocols(APPLICATION_PROTOCOLS);
    parameters.setNeedClientAuth(clientsShowCertificates);
    engine.setSSLParameters(parameters);
    return engine;
  }
}
