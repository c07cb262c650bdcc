package io.holdfast.raft.node;

import io.holdfast.raft.core.Message;
import io.holdfast.raft.link.Peer;
import io.holdfast.raft.link.PeerLinks;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Consumer;

/** Links that lead nowhere. */
class NoLinks implements PeerLinks {

  @Override
  public int port() {
    return 1;
  }

  @Override
  public void belongTo(long clusterId) {}

  @Override
  public void keep(Collection<Peer> peers) {}

  @Override
  public void send(Message message) {}

  @Override
  public void flush() {}

  @Override
  public void poll(long timeoutMs) {}

  @Override
  public void wakeup() {}

  @Override
  public void ask(String address, byte[] question, Consumer<Optional<byte[]>> answer) {}

  @Override
  public void close() {}
}
