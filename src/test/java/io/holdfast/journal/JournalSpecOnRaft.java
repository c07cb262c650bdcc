package io.holdfast.journal;

/** Akka's own tests of a journal, over three members on real files and links. */
public final class JournalSpecOnRaft extends JournalSpecWithoutDeletion {

  private static final long serialVersionUID = 1L;

  private final transient ThreeMembers members = new ThreeMembers();

  public JournalSpecOnRaft() {
    JournalAccess.get(system()).open(members.store(0), id -> FencingAdapter.SHARD);
  }

  @Override
  public void afterAll() {
    super.afterAll();
    members.close();
  }
}
