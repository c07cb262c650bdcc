package io.holdfast.samples.store;

import io.holdfast.client.Grant;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.NotSurelyHeld;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * A client that writes to the store under a lock, several times a second, until it has lost the
 * lock. Then it writes once more all the same, to see the store refuse it: a client that is stopped
 * between its look at the grant and its write does just that.
 */
final class Writer {

  /** Short, so that the locks of a client that stands still are free soon. */
  private static final Duration TTL = Duration.ofSeconds(2);

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final long PAUSE_MILLIS = 300;

  private final String name;
  private final URI store;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private Writer(String name, URI store) {
    this.name = name;
    this.store = store;
  }

  /** The client's name, the key of the lock, the address of the store, and those of the nodes. */
  public static void main(String[] args) throws InterruptedException {
    Writer writer = new Writer(args[0], URI.create(args[2]));
    var builder = HoldfastClient.builder().clientId(args[0]).ttl(TTL);
    Arrays.stream(args).skip(3).forEach(builder::endpoint);
    try (HoldfastClient client = builder.connect()) {
      writer.say("asks for the lock [" + args[1] + "]");
      try (Grant grant = client.lock(args[1]).acquire(Duration.ofMinutes(2))) {
        writer.say("holds it, with token " + grant.fencingToken());
        writer.write(grant);
      }
    }
  }

  private void write(Grant grant) throws InterruptedException {
    try {
      while (true) {
        grant.ensureHeld();
        send(grant, "written in time");
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    } catch (NotSurelyHeld e) {
      say("ensureHeld refuses: " + e.getMessage());
      say("writes all the same, with token " + grant.fencingToken());
      send(grant, "written too late");
    }
  }

  private void send(Grant grant, String data) throws InterruptedException {
    Write write = new Write(name, grant.key(), grant.fencingToken(), data);
    HttpRequest request =
        HttpRequest.newBuilder(store)
            .timeout(PATIENCE)
            .POST(BodyPublishers.ofString(write.toJson()))
            .build();
    try {
      HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        say("the store answers " + answer.statusCode() + " " + answer.body().strip());
      }
    } catch (IOException e) {
      say("the store did not answer: " + e);
    }
  }

  private void say(String line) {
    System.out.println("client " + name + ": " + line);
  }
}
