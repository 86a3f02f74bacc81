package im.zonda.app.certificates;

import im.zonda.acme.CertificateRenewal;
import im.zonda.acme.OrderLog;
import im.zonda.acme.OrderStep;
import im.zonda.config.Acme;
import im.zonda.config.ServerConfig;
import im.zonda.operation.Call;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Right;
import im.zonda.stream.CertificateNames;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Operations on the certificates that hosts get from an authority (ACME, RFC 8555).
///
/// @param config the configuration in force
/// @param orders null without an authority
public record AcmeOperations(
    Supplier<ServerConfig> config, @Nullable Orders orders, InstantSource clock) {
  /// What asks the authority.
  public interface Orders {
    /// How it is with the certificates, as of the last run.
    List<CertificateRenewal.State> states();

    /// The steps of the last orders.
    OrderLog log();

    /// The names of the certificate of each host that gets one from the authority, as A-labels.
    Map<String, List<String>> names();

    /// Asks for a certificate of a host soon. Returns at once.
    ///
    /// @param host as an A-label
    void retry(String host);
  }

  /// How it is with the certificate of a host.
  public enum State {
    /// It is in files that the configuration names.
    FILES,
    /// There is none from an authority: the server has signed it itself.
    SELF_SIGNED,
    /// The authority has issued it.
    ISSUED,
    /// The authority is asked at present.
    ASKING,
    /// The authority was not asked yet.
    WAITING,
    /// The last attempt has failed.
    FAILED
  }

  /// A step of an order.
  public record Step(
      @Field("which step") OrderStep.Kind step,
      @Field("what it was about, such as a domain") String detail,
      @Field("when it was reached") Instant time) {}

  /// A host.
  public record Host(
      @Field(value = "the host", form = Form.DOMAIN) String host,
      @Field("how it is with its certificate") State state,
      @Field("the names that are asked for") List<String> names,
      @Field("when the present certificate ends") @Nullable Instant ends,
      @Field("when the authority is asked the next time") @Nullable Instant next,
      @Field("how many attempts have failed since the last success") int failures,
      @Field("why the last attempt has failed") @Nullable String reason,
      @Field("the steps that the last order has reached") List<Step> steps) {}

  /// How it is.
  public record Shown(
      @Field("whether an authority is configured") boolean on,
      @Field("the directory of the authority") @Nullable String directory,
      @Field("how domains are proved") Acme.Challenge challenge,
      @Field("the hosts") List<Host> hosts) {}

  /// A host.
  public record Chosen(@Field(value = "the host", form = Form.DOMAIN) String domain) {}

  /// `certificate.acme`.
  public static final Operation<Nothing, Shown> ACME =
      Operation.read("certificate.acme", Right.SERVER)
          .ofNode()
          .at(
              "GET /certificates/acme",
              "Say how far the hosts are in getting certificates from an authority",
              Nothing.class,
              Shown.class);

  /// `certificate.retry`.
  public static final Operation<Chosen, Nothing> RETRY =
      Operation.change("certificate.retry", Right.SERVER)
          .ofNode()
          .at(
              "POST /certificates/{domain}/retry",
              "Ask the authority for a certificate now",
              Chosen.class,
              Nothing.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL = List.of(ACME, RETRY);

  /// The operations.
  public List<Offer<?, ?>> offers() {
    return List.of(
        ACME.by((_, _) -> Outcome.done(shown())), RETRY.by((call, chosen) -> retry(call, chosen)));
  }

  private Shown shown() {
    ServerConfig now = config.get();
    Acme acme = now.acme();
    return new Shown(
        orders != null,
        acme.directory(),
        acme.challenge(),
        now.hosts().stream().map(host -> host(now, host)).toList());
  }

  private Host host(ServerConfig now, String host) {
    Orders asked = orders;
    if (now.at(host).tls().certificate() != null) {
      return without(host, State.FILES);
    }
    if (asked == null) {
      return without(host, State.SELF_SIGNED);
    }
    String name = CertificateNames.toAscii(host);
    List<Step> steps = new ArrayList<>();
    asked
        .log()
        .steps(name)
        .forEach(each -> steps.add(new Step(each.kind(), each.detail(), each.time())));
    List<String> names = asked.names().getOrDefault(name, List.of());
    CertificateRenewal.State state = find(asked, name);
    boolean running = asked.log().isRunning(name);
    if (state == null) {
      return new Host(
          host, running ? State.ASKING : State.WAITING, names, null, null, 0, null, steps);
    }
    State word =
        running
            ? State.ASKING
            : state.failure() != null
                ? State.FAILED
                : state.ends() != null ? State.ISSUED : State.WAITING;
    return new Host(
        host, word, names, state.ends(), state.next(), state.failures(), state.failure(), steps);
  }

  private static Host without(String host, State state) {
    return new Host(host, state, List.of(), null, null, 0, null, List.of());
  }

  private static CertificateRenewal.@Nullable State find(Orders orders, String name) {
    return orders.states().stream()
        .filter(each -> each.host().equals(name))
        .findFirst()
        .orElse(null);
  }

  private Outcome<Nothing> retry(Call call, Chosen chosen) {
    Orders asked = orders;
    if (asked == null) {
      return Outcome.refused(
          Reason.NOT_APPLICABLE, "No authority is configured: acme.directory is not set.");
    }
    String name = CertificateNames.toAscii(chosen.domain());
    if (!asked.names().containsKey(name)) {
      return Outcome.invalid(
          "domain", chosen.domain() + " is no host that gets its certificate from the authority.");
    }
    CertificateRenewal.State state = find(asked, name);
    if (asked.log().isRunning(name)) {
      return Outcome.conflict("The authority is asked at present.");
    }
    if (state != null && state.failure() == null && state.ends() != null) {
      return Outcome.conflict(
          chosen.domain()
              + " has a certificate; the next one is asked for at "
              + state.next()
              + ".");
    }
    Instant until = state == null ? null : state.until();
    if (until != null && until.isAfter(clock.instant())) {
      return Outcome.conflict("The authority wants to be left alone until " + until + ".");
    }
    call.changed("certificate of " + chosen.domain(), null, "asked for");
    asked.retry(name);
    return Nothing.done();
  }
}
