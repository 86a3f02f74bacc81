package im.zonda.app.size;

import im.zonda.host.XmppServer;
import im.zonda.jid.Jid;
import im.zonda.module.Scheduler;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.runtime.ServerRuntime;
import im.zonda.size.SizeStore.Size;
import im.zonda.store.Stores;
import im.zonda.timer.PeriodicTask;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The operation that shows how much each host has. Asking counts nothing.
public final class SizeOperations {
  /// The time after the start until it is looked whether sizes must be measured.
  private static final Duration FIRST = Duration.ofMinutes(1);

  private static final Duration LOOK = Duration.ofMinutes(10);

  /// Hosts that are looked for.
  public record Wanted(
      @Field("the host after which to start") @Nullable String after,
      @Field(value = Field.LIMIT, fallback = "100", min = 1, max = 1_000) int limit) {}

  /// A host.
  public record Host(
      @Field("the host; a domain that is served no longer has its own line") String host,
      @Field("messages in archives, and those that wait") long messages,
      @Field(value = "their size as they are stored", form = Form.BYTES) long bytes,
      @Field("accounts") long accounts,
      @Field("rooms") long rooms,
      @Field("uploaded files") long files,
      @Field(value = "their size", form = Form.BYTES) long fileBytes) {}

  /// What was measured.
  public record Found(
      @Field("when it was measured; once an hour, first a minute after the start")
          @Nullable Instant measured,
      @Field("whether messages and their size are an estimate, because there are many")
          boolean estimated,
      @Field("the hosts, in the order of their names") List<Host> hosts,
      @Field(Field.NEXT) @Nullable String next) {
    /// Copies the list.
    public Found {
      hosts = List.copyOf(hosts);
    }
  }

  /// `store.sizes`.
  public static final Operation<Wanted, Found> SIZES =
      Operation.read("store.sizes", Right.SERVER)
          .at("GET /store/sizes", "Say how much each host has", Wanted.class, Found.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL = List.of(SIZES);

  private SizeOperations() {}

  /// Measures from time to time, and offers the operation.
  ///
  /// @return what measures
  public static Scheduler.Cancellable offerAt(
      XmppServer server, Stores stores, ServerRuntime runtime) {
    Jid place = Jid.of(null, server.hosts().getFirst().domain().domain(), "sizes");
    HostSizes sizes =
        new HostSizes(
            new HostSizes.Stored(stores.sizes(), stores.keyValues(HostSizes.STORE)),
            domain -> Objects.requireNonNullElse(server.catalogue().hostOf(domain), domain),
            () -> server.router().homes().nodes().view().isHere(place),
            runtime.clock(),
            runtime.random());
    server
        .catalogue()
        .offer(List.of(SIZES.by((_, wanted) -> Outcome.done(found(sizes.known(), wanted)))));
    return PeriodicTask.start(runtime.scheduler(), FIRST, LOOK, runtime.workers(), sizes::run);
  }

  static Found found(HostSizes.@Nullable Known known, Wanted wanted) {
    if (known == null) {
      return new Found(null, false, List.of(), null);
    }
    String after = wanted.after();
    List<Size> rest =
        known.hosts().stream()
            .filter(each -> after == null || each.domain().compareTo(after) > 0)
            .toList();
    List<Host> page =
        rest.stream()
            .limit(wanted.limit())
            .map(each ->
                new Host(
                    each.domain(),
                    each.messages(),
                    each.bytes(),
                    each.accounts(),
                    each.rooms(),
                    each.files(),
                    each.fileBytes()))
            .toList();
    return new Found(
        known.time(),
        known.estimated(),
        page,
        rest.size() > page.size() ? page.getLast().host() : null);
  }
}
