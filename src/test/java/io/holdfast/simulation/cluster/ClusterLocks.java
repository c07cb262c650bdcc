package io.holdfast.simulation.cluster;

import io.holdfast.id.ShardId;
import io.holdfast.journal.state.Bounds;
import io.holdfast.raft.core.MemberId;
import io.holdfast.simulation.Scheduler;
import io.holdfast.simulation.journal.Holding;
import io.holdfast.simulation.journal.JournalInvariant;
import io.holdfast.simulation.journal.JournalWorld;
import io.holdfast.simulation.journal.NodeProcess;
import io.holdfast.simulation.journal.Tenancy;
import io.holdfast.simulation.journal.Tenant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The real locks of one world: their nodes, their clients, and what must hold of them. */
final class ClusterLocks implements Tenancy {

  /** The keys that clients ask for; few, so that they meet. */
  static final List<String> KEYS = List.of("alpha", "beta", "gamma", "delta");

  private static final Bounds BOUNDS = new Bounds(4_096, 128, 16, 4_096, 1_024);
  private static final int CLIENTS = 4;
  private static final int WATCHERS = 2;

  /** More than there are members. */
  private static final int ADDRESSES = 8;

  private final Runnable cast;
  private final @Nullable Narrator narrator;
  private final Map<MemberId, ClusterTenant> tenants = new TreeMap<>();
  private final List<LivingClient> clients = new ArrayList<>();
  private final List<Watcher> watchers = new ArrayList<>();
  private final List<ClusterInvariant> invariants = new ArrayList<>();
  private final List<ClusterInvariant.EachEvent> eachEvent = new ArrayList<>();
  private final ProtectedStore store = new ProtectedStore();
  private final ServiceMembers services = new ServiceMembers(this);
  private final AkkaLinks links = new AkkaLinks(this);
  private final Map<String, Long> counts = new TreeMap<>();
  private @Nullable JournalWorld world;
  private @Nullable LockBook book;
  private @Nullable SplittableRandom chance;
  private boolean closeToTheEnd;
  private boolean windsDown;
  private int clientNumber;

  /** With clients that do whatever happens to them. */
  ClusterLocks() {
    cast = this::anyClients;
    narrator = null;
  }

  /**
   * With those who do what is in a story.
   *
   * @param cast has them begin, once the nodes are there
   */
  ClusterLocks(Runnable cast, Narrator narrator) {
    this.cast = cast;
    this.narrator = narrator;
  }

  @Override
  public Bounds bounds() {
    return BOUNDS;
  }

  @Override
  public boolean isModel() {
    return false;
  }

  @Override
  public List<JournalInvariant> invariants(JournalWorld in) {
    world = in;
    LockBook made = new LockBook(in, this::tell, this::eventOver);
    book = made;
    invariants.add(new MutualExclusion());
    invariants.add(new TokenMonotonic());
    invariants.add(new Fifo());
    invariants.add(new AtMostOnce());
    invariants.add(new NoLostGrant(in, made));
    invariants.add(new ServerNeverEarly(this, in, made));
    eachEvent.add(new ClientStopsFirst(made, () -> clients));
    eachEvent.add(new NoOrphan(in, made));
    eachEvent.add(new GivenBack(in, made));
    invariants.addAll(eachEvent);
    invariants.add(new MinorityRefuses());
    invariants.add(new HangsOnLease(this, in, made));
    invariants.add(new ReadsAreFresh(made));
    invariants.add(new FencedWrites(made));
    invariants.add(new NothingForNobody(made));
    invariants.add(new TrueNegatives(in, made));
    invariants.add(new TruePositives(made));
    invariants.add(new TrueRevisions());
    if (narrator != null) {
      invariants.add(narrator);
      return List.of(made, services, narrator);
    }
    return List.of(made, services);
  }

  @Override
  public Tenant begin(NodeProcess process, SplittableRandom by) {
    MemberId member = process.member().id();
    ClusterTenant tenant = new ClusterTenant(this, process, endpoint(member, by), by);
    tenants.put(member, tenant);
    lookForTheDead();
    return tenant;
  }

  @Override
  public void removed(MemberId member) {
    tenants.remove(member);
    lookForTheDead();
  }

  /** Mostly where the member was before; else where another one may have been. */
  private String endpoint(MemberId member, SplittableRandom by) {
    ClusterTenant before = tenants.get(member);
    if (before != null && by.nextInt(4) > 0) {
      return before.endpoint();
    }
    Set<String> taken = new TreeSet<>(endpoints());
    int at = by.nextInt(ADDRESSES);
    while (taken.contains("n" + at + ":7000")) {
      at = (at + 1) % ADDRESSES;
    }
    return "n" + at + ":7000";
  }

  /** The addresses for clients of all members, or their last ones. */
  List<String> endpoints() {
    return tenants.values().stream().map(ClusterTenant::endpoint).toList();
  }

  /** One of those. */
  String anyEndpoint(SplittableRandom by) {
    List<String> all = endpoints();
    return all.get(by.nextInt(all.size()));
  }

  /** The tenant at this address for clients now, if there is one. */
  @Nullable ClusterTenant tenantAt(String endpoint) {
    for (ClusterTenant tenant : tenants.values()) {
      if (tenant.endpoint().equals(endpoint)) {
        return tenant.isRunning() ? tenant : null;
      }
    }
    return null;
  }

  /** Its streams are told before it goes. */
  @Override
  public int leavesUs(NodeProcess process) {
    ClusterTenant tenant = tenants.get(process.member().id());
    if (tenant == null || tenant.process() != process) {
      return 0;
    }
    count("node leaves");
    tenant.leaves();
    return tenant.chance().nextInt(600_000);
  }

  /** Mostly three; more are slower to simulate. */
  @Override
  public int members(SplittableRandom by) {
    int dice = by.nextInt(32);
    return dice < 4 ? 2 : dice < 30 ? 3 : dice - 26;
  }

  /** In half of the processes, since it costs. */
  @Override
  public boolean appliesApart(SplittableRandom by) {
    return by.nextBoolean();
  }

  /** Longer than a client waits for an answer, and than its session's ttl after that. */
  @Override
  public long outageUs() {
    boolean isAny = world().chance().nextInt(8) == 0;
    if (isAny) {
      count("outage");
    }
    return isAny ? 3_000_000 + world().chance().nextInt(3_000_000) : 0;
  }

  @Override
  public void begin() {
    chance = world().chance().split();
    cast.run();
  }

  private void anyClients() {
    for (int i = 0; i < CLIENTS; i++) {
      newClient();
    }
    for (int i = 0; i < WATCHERS; i++) {
      watchers.add(new Watcher(this, i, chance().split()));
    }
    new Operator(this, chance().split()).begin();
    ManyWaiters.comeToSome(this, chance().split());
  }

  /** Somebody in a story. */
  ClientProcess newPersona(String name) {
    return new ClientProcess(this, name, chance().split());
  }

  /** One more process of a client. */
  void newClient() {
    if (!closeToTheEnd) {
      String name = "client-" + ++clientNumber;
      LivingClient client = newClient(name);
      clients.add(client);
      client.begin();
    }
  }

  private LivingClient newClient(String name) {
    int dice = chance().nextInt(6);
    ClusterTenant node = dice == 0 ? anyTenant(chance()) : null;
    if (node != null) {
      return chance().nextBoolean()
          ? new Service(node, name, chance().split())
          : services.begin(name, chance().split());
    }
    return dice < 3
        ? new RealClient(this, name, chance().split())
        : new ClientProcess(this, name, chance().split());
  }

  /** Services that ran in a process that has ended are gone with it. */
  private void lookForTheDead() {
    for (LivingClient client : List.copyOf(clients)) {
      if (client instanceof Service service && !service.isRunning()) {
        died(service);
      }
    }
  }

  void died(LivingClient client) {
    clients.remove(client);
    world().scheduler().after(chance().nextInt(500_000), "a client starts", this::newClient);
  }

  @Override
  public void askOnceMore() {
    lookForTheDead();
    closeToTheEnd = true;
    clients.forEach(LivingClient::askOnceMore);
  }

  @Override
  public @Nullable Object unserved() {
    for (LivingClient client : clients) {
      String lacks = client.unserved();
      if (lacks != null) {
        return new Scheduler.Words(lacks, new Scheduler.Words("is not served:", book().rows()));
      }
    }
    return null;
  }

  /** True if nobody begins anything of his own any more. */
  boolean isCloseToTheEnd() {
    return closeToTheEnd;
  }

  @Override
  public void windDown() {
    windsDown = true;
    List.copyOf(clients).forEach(LivingClient::die);
    clients.clear();
  }

  boolean windsDown() {
    return windsDown;
  }

  @Override
  public @Nullable Object lack() {
    for (Map.Entry<String, Row> entry : book().rows().entrySet()) {
      if (!entry.getValue().isFree()) {
        return new Scheduler.Words(entry.getKey() + " is not free:", entry.getValue());
      }
    }
    if (!book().leases().isEmpty()) {
      return new Scheduler.Words("these leases live:", book().leases());
    }
    return watchers.stream()
        .filter(watcher -> !watcher.isUpToDate())
        .findFirst()
        .map(watcher -> watcher + " lacks something")
        .orElse(null);
  }

  // ------------------------------------------------------------------ what all share

  JournalWorld world() {
    return java.util.Objects.requireNonNull(world);
  }

  LockBook book() {
    return java.util.Objects.requireNonNull(book);
  }

  private SplittableRandom chance() {
    return java.util.Objects.requireNonNull(chance);
  }

  void tell(Consumer<ClusterInvariant> event) {
    for (int i = 0; i < invariants.size(); i++) {
      event.accept(invariants.get(i));
    }
  }

  private void eventOver() {
    for (int i = 0; i < eachEvent.size(); i++) {
      eachEvent.get(i).eventOver();
    }
  }

  /** Something worth counting happened. */
  void count(String what) {
    counts.merge(what, 1L, Long::sum);
  }

  Map<String, Long> counts() {
    return counts;
  }

  List<LivingClient> clients() {
    return clients;
  }

  /** The tenant of a member now, if it has one. */
  @Nullable ClusterTenant tenantOf(MemberId member) {
    ClusterTenant tenant = tenants.get(member);
    return tenant != null && tenant.isRunning() ? tenant : null;
  }

  /** The tenant at this address of Akka's now, if a node is there. */
  @Nullable ClusterTenant tenantInAkka(String address) {
    for (ClusterTenant tenant : tenants.values()) {
      if (tenant.address().equals(address)) {
        return tenant.isRunning() ? tenant : null;
      }
    }
    return null;
  }

  /** The services that are members of Akka's cluster. */
  ServiceMembers services() {
    return services;
  }

  /** True if this process is the owner, in truth, of the shard of this actor. */
  boolean isOwner(NodeProcess process, String actor) {
    ClusterTenant tenant = tenantOf(process.member().id());
    if (tenant == null || tenant.process() != process) {
      return false;
    }
    ShardId shard = tenant.locksHere().shardOf(actor);
    Holding held = process.holdingOf(shard);
    return held != null && tenant.isOwner(shard, held.ownership().epoch());
  }

  /** All members, whether they run or not. */
  List<MemberId> members() {
    return List.copyOf(tenants.keySet());
  }

  /** One of those that run. */
  @Nullable ClusterTenant anyTenant(SplittableRandom by) {
    List<ClusterTenant> running =
        tenants.values().stream().filter(ClusterTenant::isRunning).toList();
    return running.isEmpty() ? null : running.get(by.nextInt(running.size()));
  }

  /** A write comes to the store behind the locks. */
  boolean write(String key, long token) {
    boolean isAccepted = store.write(key, token);
    tell(each -> each.wrote(key, token, isAccepted));
    count(isAccepted ? "written" : "fenced");
    return isAccepted;
  }

  /** From one member to another, by Akka's links. */
  void send(AkkaMember from, AkkaMember to, Object what, Runnable action) {
    links.send(from, to, what, action);
  }
}
