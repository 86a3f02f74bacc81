package im.zonda.app.ban;

import im.zonda.operation.Field;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.throttle.FailedLogins;
import java.net.InetAddress;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Operations on logins that have failed.
public final class FailedLoginOperations {
  /// The failed logins of a network.
  public record Failures(
      @Field("the last address of the network") String network,
      @Field("how many logins from the network have failed in the last day") long failures,
      @Field("when the first of them failed") Instant first,
      @Field("when the last of them failed") Instant last,
      @Field("the account of the last of them, as the client named it") @Nullable String account,
      @Field("whether the network is banned") boolean banned) {}

  /// Networks that are looked for.
  public record Wanted(
      @Field("the place after which to start") @Nullable String after,
      @Field(value = "the most networks", fallback = "50", min = 1, max = 500) int limit) {}

  /// Networks with failed logins.
  public record Found(
      @Field("the networks, the last failure first") List<Failures> networks,
      @Field(Field.NEXT) @Nullable String next) {}

  /// `login.failures`.
  public static final Operation<Wanted, Found> LIST =
      Operation.read("login.failures", Right.MODERATION)
          .at(
              "GET /login-failures",
              "List from where logins have failed in the last day",
              Wanted.class,
              Found.class);

  /// All of them.
  public static final List<Operation<?, ?>> ALL = List.of(LIST);

  private FailedLoginOperations() {}

  static Offer<?, ?> of(FailedLogins failed, Bans bans) {
    return LIST.by((_, wanted) -> list(failed, bans, wanted));
  }

  static Outcome<Found> list(FailedLogins failed, Bans bans, Wanted wanted) {
    Predicate<FailedLogins.Failures> follows;
    try {
      follows = follows(wanted.after());
    } catch (DateTimeParseException e) {
      return Outcome.invalid("after", "after is no place in this list.");
    }
    List<FailedLogins.Failures> rest =
        failed.list().stream().filter(follows).limit(wanted.limit() + 1L).toList();
    boolean more = rest.size() > wanted.limit();
    List<FailedLogins.Failures> page = more ? rest.subList(0, wanted.limit()) : rest;
    return Outcome.done(
        new Found(
            page.stream().map(each -> failures(each, bans)).toList(),
            more ? place(page.getLast()) : null));
  }

  /// A place in the list: the last failure and the address of a network.
  private static String place(FailedLogins.Failures failures) {
    return failures.last() + " " + failures.address();
  }

  private static Predicate<FailedLogins.Failures> follows(@Nullable String place) {
    if (place == null) {
      return _ -> true;
    }
    String[] parts = place.split(" ", 2);
    Instant last = Instant.parse(parts[0]);
    String address = parts.length == 2 ? parts[1] : "";
    return each ->
        each.last().isBefore(last)
            || (each.last().equals(last) && each.address().compareTo(address) > 0);
  }

  private static Failures failures(FailedLogins.Failures failures, Bans bans) {
    return new Failures(
        failures.address(),
        failures.count(),
        failures.first(),
        failures.last(),
        failures.account(),
        bans.covers(InetAddress.ofLiteral(failures.address())));
  }
}
