package im.zonda.app.ban;

import im.zonda.host.XmppServer;
import im.zonda.module.Scheduler;
import im.zonda.net.proxy.AddressRanges;
import im.zonda.operation.Call;
import im.zonda.operation.Field;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Right;
import im.zonda.runtime.ServerRuntime;
import im.zonda.store.KeyValueStore;
import im.zonda.timer.PeriodicTask;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Operations on the networks from which no one may connect. An account is banned by
/// `account.disable`, a domain by the access lists of a host.
public final class BanOperations {
  /// What another node of a cluster has changed counts here after this time, if its notice is lost.
  private static final Duration READ_AGAIN = Duration.ofMinutes(1);

  private static final int SHORTEST_PREFIX = 8;

  /// A ban.
  public record Ban(
      @Field("the address or network") String network,
      @Field("since when") Instant since,
      @Field("when it ends by itself; nothing for never") @Nullable Instant until,
      @Field("who has made it") String by,
      @Field("why") @Nullable String reason,
      @Field("how many connections it has refused or ended at this node since the start")
          long refused) {}

  /// Bans that are looked for.
  public record Wanted(
      @Field("the network after which to start") @Nullable String after,
      @Field(value = "the most bans", fallback = "50", min = 1, max = 500) int limit) {}

  /// Bans in force.
  public record Found(
      @Field("the bans") List<Ban> bans, @Field(Field.NEXT) @Nullable String next) {}

  /// A ban to add.
  public record New(
      @Field(value = "an address, or a network such as 192.0.2.0/24", max = 50) String network,
      @Field(value = "why", max = 500) @Nullable String reason,
      @Field("when it ends by itself") @Nullable Instant until) {}

  /// A ban to remove.
  public record Chosen(@Field(value = "the address or network", max = 50) String network) {}

  /// `ban.list`.
  public static final Operation<Wanted, Found> LIST =
      Operation.read("ban.list", Right.MODERATION)
          .at("GET /bans", "List the networks that may not connect", Wanted.class, Found.class);

  /// `ban.add`.
  public static final Operation<New, Nothing> ADD =
      Operation.change("ban.add", Right.MODERATION)
          .at(
              "POST /bans",
              "Let no one connect from a network, and end its connections",
              New.class,
              Nothing.class);

  /// `ban.remove`.
  public static final Operation<Chosen, Nothing> REMOVE =
      Operation.change("ban.remove", Right.MODERATION)
          .at(
              "POST /bans/remove",
              "Let clients connect from a network again",
              Chosen.class,
              Nothing.class);

  /// All of them.
  public static final List<Operation<?, ?>> ALL = List.of(LIST, ADD, REMOVE);

  private BanOperations() {}

  /// Enforces the bans of the store at a server, and offers the operations.
  ///
  /// @return what reads them again every so often
  public static Scheduler.Cancellable enforce(
      XmppServer server, Function<String, KeyValueStore> stores, ServerRuntime runtime) {
    Bans bans =
        new Bans(
            stores.apply(Bans.STORE), runtime.clock(), server.streams().sasl().throttle().banned());
    server.notices().on(Bans.STORE, () -> runtime.workers().execute(bans::readAfterNotice));
    server.catalogue().offer(of(bans, runtime.clock(), () -> server.notices().post(Bans.STORE)));
    server
        .catalogue()
        .offer(List.of(FailedLoginOperations.of(server.streams().sasl().failedLogins(), bans)));
    return PeriodicTask.start(
        runtime.scheduler(), READ_AGAIN, READ_AGAIN, runtime.workers(), bans::read);
  }

  /// @param changed notifies other nodes
  static List<Offer<?, ?>> of(Bans bans, InstantSource clock, Runnable changed) {
    return List.of(
        LIST.by((_, wanted) -> list(bans, wanted)),
        ADD.by((call, wanted) -> told(add(bans, clock.instant(), call, wanted), changed)),
        REMOVE.by((call, chosen) -> told(remove(bans, call, chosen), changed)));
  }

  private static Outcome<Nothing> told(Outcome<Nothing> outcome, Runnable changed) {
    if (outcome instanceof Outcome.Done) {
      changed.run();
    }
    return outcome;
  }

  private static Outcome<Found> list(Bans bans, Wanted wanted) {
    String after = wanted.after();
    List<Ban> found =
        bans.all().entrySet().stream()
            .filter(each -> after == null || each.getKey().network().compareTo(after) > 0)
            .limit(wanted.limit() + 1L)
            .map(BanOperations::ban)
            .toList();
    boolean more = found.size() > wanted.limit();
    List<Ban> page = more ? found.subList(0, wanted.limit()) : found;
    return Outcome.done(new Found(page, more ? page.getLast().network() : null));
  }

  private static Ban ban(Map.Entry<Bans.Ban, Long> entry) {
    Bans.Ban ban = entry.getKey();
    return new Ban(
        ban.network(), ban.since(), ban.until(), ban.by(), ban.reason(), entry.getValue());
  }

  private static Outcome<Nothing> add(Bans bans, Instant now, Call call, New wanted) {
    String network = wanted.network().strip();
    String problem = problem(network);
    Instant until = wanted.until();
    if (problem != null) {
      return Outcome.invalid("network", problem);
    }
    if (until != null && !until.isAfter(now)) {
      return Outcome.invalid("until", "until is in the past.");
    }
    Map<Bans.Ban, Long> all = bans.all();
    if (all.size() >= Bans.MOST
        && all.keySet().stream().noneMatch(each -> each.network().equals(network))) {
      return Outcome.refused(Reason.TOO_MANY, "There are at most " + Bans.MOST + " bans.");
    }
    bans.put(new Bans.Ban(network, now, until, call.caller().name(), wanted.reason()));
    call.changed("ban", null, network + (until == null ? "" : " until " + until));
    return Nothing.done();
  }

  /// Why a text cannot be banned; null if it can.
  private static @Nullable String problem(String network) {
    int slash = network.indexOf('/');
    try {
      AddressRanges _ = new AddressRanges(List.of(network));
      if (slash >= 0 && Integer.parseInt(network.substring(slash + 1)) < SHORTEST_PREFIX) {
        return "A network of that size is a large part of the Internet; the shortest prefix is /8.";
      }
      String address = slash < 0 ? network : network.substring(0, slash);
      return InetAddress.ofLiteral(address).isLoopbackAddress()
          ? "Connections from the machine itself are always accepted."
          : null;
    } catch (IllegalArgumentException e) {
      return network + " is no address and no network.";
    }
  }

  private static Outcome<Nothing> remove(Bans bans, Call call, Chosen chosen) {
    String network = chosen.network().strip();
    if (!bans.remove(network)) {
      return Outcome.notFound("There is no ban of " + network + ".");
    }
    call.changed("ban", network, null);
    return Nothing.done();
  }
}
