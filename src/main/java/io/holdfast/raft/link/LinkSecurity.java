package io.holdfast.raft.link;

import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/**
 * The keys and authorities of mutual TLS: both ends show a certificate.
 *
 * @param verifyHostNames true if a dialed member's certificate must name the host that was dialed
 */
public record LinkSecurity(SSLContext context, boolean verifyHostNames) {

  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

  public LinkSecurity {
    Objects.requireNonNull(context);
  }

  /** The end that dialed {@code host:port}. */
  public SSLEngine dialing(String address) {
    int colon = address.lastIndexOf(':');
    String host = address.substring(0, colon).replaceAll("[\\[\\]]", "");
    SSLEngine engine =
        context.createSSLEngine(host, Integer.parseInt(address.substring(colon + 1)));
    engine.setUseClientMode(true);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(PROTOCOLS);
    if (verifyHostNames) {
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
    }
    engine.setSSLParameters(parameters);
    return engine;
  }

  /** The end that accepted. */
  public SSLEngine accepting() {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(false);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(PROTOCOLS);
    parameters.setNeedClientAuth(true);
    engine.setSSLParameters(parameters);
    return engine;
  }
}
