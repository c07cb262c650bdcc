package holdfast.lock;

/**
 * Who holds a lock, and under which token.
 *
 * @param request the request that was granted, so that its repetition is recognised
 */
public record Holder(HolderId id, RequestId request, FencingToken token, Ttl ttl) {}
