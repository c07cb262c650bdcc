package holdfast.raft.link;

import javax.net.ssl.SSLContext;

/**
 * The keys and authorities of mutual TLS: both ends show a certificate.
 *
 * @param verifyHostNames whether a dialed member's certificate must name the host that was dialed
 */
public record LinkSecurity(SSLContext context, boolean verifyHostNames) {}
