package io.holdfast.grpc.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import akka.http.impl.engine.http2.FrameEvent;
import akka.http.impl.engine.http2.Http2Protocol;
import akka.http.impl.engine.http2.Http2Protocol$SettingIdentifier$SETTINGS_HEADER_TABLE_SIZE$;
import akka.http.impl.engine.http2.Http2Protocol$SettingIdentifier$SETTINGS_INITIAL_WINDOW_SIZE$;
import akka.http.impl.engine.http2.Http2Protocol$SettingIdentifier$SETTINGS_MAX_FRAME_SIZE$;
import akka.http.scaladsl.settings.ServerSettings;
import akka.util.ByteString;
import io.holdfast.config.GuardSettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import scala.jdk.javaapi.CollectionConverters;

/** The settings of Akka HTTP's layers, and the lowered settings of clients. */
class HttpLayersTest {

  private static final int HEADER_TABLE_SIZE = 1;
  private static final int INITIAL_WINDOW_SIZE = 4;
  private static final int MAX_FRAME_SIZE = 5;

  @Test
  void client_settings_cannot_raise_header_table_and_frame_size() {
    assertEquals(
        List.of(
            setting(HEADER_TABLE_SIZE, 4096),
            setting(HEADER_TABLE_SIZE, 4096),
            setting(HEADER_TABLE_SIZE, 100),
            setting(HEADER_TABLE_SIZE, 0),
            setting(INITIAL_WINDOW_SIZE, 1_000_000)),
        lowered(
            setting(HEADER_TABLE_SIZE, 4097),
            setting(HEADER_TABLE_SIZE, -1), // 2^32 - 1
            setting(HEADER_TABLE_SIZE, 100),
            setting(MAX_FRAME_SIZE, 0),
            setting(MAX_FRAME_SIZE, 16_777_215),
            setting(HEADER_TABLE_SIZE, 0),
            setting(INITIAL_WINDOW_SIZE, 1_000_000)));
  }

  @Test
  void other_frames_are_not_changed() {
    FrameEvent frame = new FrameEvent.DataFrame(1, true, ByteString.fromInts(1, 2, 3));
    assertSame(frame, HttpLayers.lowered(frame));
  }

  @Test
  void a_client_is_pinged_before_it_counts_as_idle() {
    assertEquals(10_000, settings(Duration.ofMinutes(5)).http2Settings().pingInterval().toMillis());
    assertEquals(1_000, settings(Duration.ofSeconds(3)).http2Settings().pingInterval().toMillis());
  }

  @Test
  void settings_of_other_servers_in_the_process_are_ignored() {
    System.setProperty("akka.http.server.backlog", "7");
    try {
      assertEquals(1024, settings(Duration.ofMinutes(1)).backlog());
    } finally {
      System.clearProperty("akka.http.server.backlog");
    }
  }

  private static ServerSettings settings(Duration idleAfter) {
    return HttpLayers.settings(new GuardSettings(1, 1, idleAfter, 1, 1, 1, 1, 1, 1, 1));
  }

  private static List<FrameEvent.Setting> lowered(FrameEvent.Setting... settings) {
    FrameEvent lowered =
        HttpLayers.lowered(
            new FrameEvent.SettingsFrame(CollectionConverters.asScala(List.of(settings)).toList()));
    return CollectionConverters.asJava(((FrameEvent.SettingsFrame) lowered).settings());
  }

  private static FrameEvent.Setting setting(int id, int value) {
    Http2Protocol.SettingIdentifier identifier =
        switch (id) {
          case HEADER_TABLE_SIZE ->
              Http2Protocol$SettingIdentifier$SETTINGS_HEADER_TABLE_SIZE$.MODULE$;
          case INITIAL_WINDOW_SIZE ->
              Http2Protocol$SettingIdentifier$SETTINGS_INITIAL_WINDOW_SIZE$.MODULE$;
          default -> Http2Protocol$SettingIdentifier$SETTINGS_MAX_FRAME_SIZE$.MODULE$;
        };
    return new FrameEvent.Setting(identifier, value);
  }
}
