package holdfast.lock;

/**
 * Who holds a lock, under which token.
 *
 * @param request the request that was granted, so that its repetition is recognised
 * @param count how many releases end it
 */
public record Holder(
    HolderId id, Request request, FencingToken token, Life life, int count, Metadata metadata) {

  public static final int MAX_COUNT = 65_535;

  public Holder {
    OutOfBound.check("count", count, 1, MAX_COUNT);
  }

  Holder withCount(int changed) {
    return new Holder(id, request, token, life, changed, metadata);
  }
}
