package im.zonda.app.federation;

import im.zonda.home.remote.RemoteLinkStatus;
import im.zonda.host.Federation;
import im.zonda.operation.Call;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Right;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Links with other servers.
///
/// @param federation the exchange of stanzas with other servers; null without it
/// @param hosts the hosts of this server
/// @param checks what a check of another domain uses
public record LinkOperations(
    Supplier<@Nullable Federation> federation, Supplier<List<String>> hosts, Checks checks) {
  /// The most links that are listed.
  static final int MOST = 1_000;

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /// Links with a queue or a failure first.
  private static final Comparator<RemoteLinkStatus> ORDER =
      Comparator.<RemoteLinkStatus>comparingInt(link -> link.lastFailure() == null ? 1 : 0)
          .thenComparing(Comparator.comparingLong(RemoteLinkStatus::bytes).reversed())
          .thenComparing(link -> link.pair().remote())
          .thenComparing(link -> link.pair().local());

  /// Opens what a check of another domain uses.
  @FunctionalInterface
  public interface Checks {
    /// Opens it.
    ///
    /// @throws IOException if a certificate cannot be used
    DomainCheck.Parts open() throws IOException;
  }

  /// Which links.
  public record Chosen(
      @Field(value = "only those with this domain", form = Form.DOMAIN) @Nullable String domain) {}

  /// Links.
  public record Listed(
      @Field("how many there are; the first 1,000 are listed") int total,
      @Field("the links, those with a failure first") List<ServerLink> links) {}

  /// Another domain, seen from one of ours.
  public record Pair(
      @Field(value = "the other domain", form = Form.DOMAIN) String domain,
      @Field(value = "the host of this server (default: the first)", form = Form.DOMAIN)
          @Nullable String from) {}

  /// Another domain.
  public record Remote(@Field(value = "the other domain", form = Form.DOMAIN) String domain) {}

  /// What was tried.
  public record Tried(@Field("how many links connect if they are not connected") int links) {}

  /// `link.list`.
  public static final Operation<Chosen, Listed> LIST =
      Operation.read("link.list", Right.LINKS)
          .ofNodes()
          .at("GET /links", "List the links with other servers", Chosen.class, Listed.class);

  /// `link.check`.
  public static final Operation<Pair, Nothing> CHECK =
      Operation.change("link.check", Right.LINKS)
          .ofNode()
          .at(
              "POST /links/{domain}/check",
              "Check whether another server can be reached",
              Pair.class,
              Nothing.class);

  /// `link.retry`.
  public static final Operation<Remote, Tried> RETRY =
      Operation.change("link.retry", Right.LINKS)
          .ofNodes()
          .at(
              "POST /links/{domain}/retry",
              "Connect to another server now, if stanzas wait for it",
              Remote.class,
              Tried.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL = List.of(LIST, CHECK, RETRY);

  /// The operations.
  public List<Offer<?, ?>> offers() {
    return List.of(
        LIST.by((_, chosen) -> list(chosen.domain())),
        CHECK.by(this::check),
        RETRY.by((_, remote) -> retry(remote.domain())));
  }

  private static <R extends Record> Outcome<R> off() {
    return Outcome.refused(
        Reason.NOT_APPLICABLE, "This server does not talk to other servers: s2s.enabled is false.");
  }

  Outcome<Listed> list(@Nullable String remote) {
    Federation running = federation.get();
    if (running == null) {
      return off();
    }
    List<RemoteLinkStatus> found =
        running.domains().links(PATIENCE).stream()
            .filter(link -> remote == null || link.pair().remote().equals(remote))
            .sorted(ORDER)
            .toList();
    return Outcome.done(
        new Listed(found.size(), found.stream().limit(MOST).map(ServerLink::of).toList()));
  }

  private Outcome<Nothing> check(Call call, Pair pair) {
    List<String> own = hosts.get();
    String local = pair.from() == null ? own.getFirst() : pair.from();
    if (!own.contains(local)) {
      return Outcome.invalid("from", local + " is no host of this server.");
    }
    if (own.contains(pair.domain())) {
      return Outcome.invalid("domain", pair.domain() + " is a host of this server.");
    }
    return call.start(
        "Check " + pair.domain(),
        // That it cannot be reached is a result of the check, and no failure.
        _ -> DomainCheck.run(checks.open(), local, pair.domain()).text().stripTrailing());
  }

  Outcome<Tried> retry(String remote) {
    Federation running = federation.get();
    return running == null ? off() : Outcome.done(new Tried(running.domains().retryNow(remote)));
  }
}
