package holdfast.config;

/**
 * What one client may ask of the gRPC port; {@code holdfast.grpc} in reference.conf. Numbers are
 * per connection and second, except the first three.
 *
 * @param maxConnections how many connections may be open at a time
 * @param maxCalls how many calls of one connection may be open at a time, streams too
 * @param maxStreams how many of them may be streams of many messages
 * @param settings SETTINGS frames
 * @param pings PING frames
 * @param resets RST_STREAM frames, from the client, and in answer to it
 * @param windowUpdates WINDOW_UPDATE frames
 * @param idleFrames frames that carry nothing: empty DATA, PRIORITY, and types that do not exist
 */
public record GuardSettings(
    int maxConnections,
    int maxCalls,
    int maxStreams,
    int settings,
    int pings,
    int resets,
    int windowUpdates,
    int idleFrames) {

  static GuardSettings from(SettingsReader read) {
    return new GuardSettings(
        read.integer("grpc.max-connections", 1, 65_536),
        read.integer("grpc.max-calls-per-connection", 1, 65_536),
        read.integer("grpc.max-streams-per-connection", 1, 65_536),
        read.integer("grpc.guard.settings", 1, 1_000_000),
        read.integer("grpc.guard.pings", 1, 1_000_000),
        read.integer("grpc.guard.resets", 1, 1_000_000),
        read.integer("grpc.guard.window-updates", 1, 1_000_000),
        read.integer("grpc.guard.idle-frames", 1, 1_000_000));
  }
}
