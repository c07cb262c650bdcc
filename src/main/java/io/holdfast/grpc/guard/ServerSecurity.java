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
 * How the connections of clients are secured: TLS 1.3 alone, which knows no renegotiation, and has
 * only ciphers that HTTP/2 allows.
 *
 * @param context this node's key, and the authorities of clients
 * @param clientsShowCertificates whether a client without a certificate of these is refused
 */
public record ServerSecurity(SSLContext context, boolean clientsShowCertificates) {

  private static final String[] PROTOCOLS = {"TLSv1.3"};
  private static final String[] APPLICATION_PROTOCOLS = {"h2"};

  /** The node's end of one connection. */
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
                session -> {}, // the context has judged the certificates
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
