package im.zonda.app.operation;

import im.zonda.operation.Call;
import im.zonda.operation.Caller;
import im.zonda.operation.Catalogue;
import im.zonda.operation.Field;
import im.zonda.operation.Grant;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Right;
import im.zonda.operation.Role;
import im.zonda.operation.Secret;
import im.zonda.operation.token.ApiToken;
import im.zonda.operation.token.ApiTokens;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Operations on the tokens by which programs administer the server.
public final class TokenOperations {
  private static final Duration LONGEST = Duration.ofDays(365);
  private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]*";

  /// A token to be created.
  public record Wanted(
      @Field(
              value = "the name, by which it is known: letters, digits, dots, dashes, underscores",
              max = 64)
          String name,
      @Field("what its bearer may do") Role role,
      @Field(
              value = "the domains of the hosts to which it is limited; none for the whole server",
              form = Field.Form.DOMAIN,
              max = 100)
          List<String> hosts,
      @Field(value = "the rights to which it is limited; none for all of the role", max = 32)
          List<Right> rights,
      @Field(value = "how long it is valid, at most 365d", fallback = "90d") Duration validFor) {}

  /// A new token.
  public record Created(
      @Field("its name") String name,
      @Field("the token, which is shown this once") Secret token,
      @Field("when it expires") Instant expires) {}

  /// A token.
  public record Shown(
      @Field("its name") String name,
      @Field("what its bearer may do") Role role,
      @Field("the hosts to which it is limited; none for the whole server") List<String> hosts,
      @Field("the rights to which it is limited; none for all of the role") List<Right> rights,
      @Field("who has created it") String createdBy,
      @Field("when it was created") Instant created,
      @Field("when it expires") Instant expires,
      @Field("whether it has expired") boolean expired,
      @Field("the hour in which it was used last") @Nullable Instant used,
      @Field("the address from which it was used then") @Nullable String address) {}

  /// A page of tokens.
  public record Page(
      @Field("the last name of the page before") @Nullable String after,
      @Field(value = "the most tokens", min = 1, max = 500, fallback = "50") int limit) {}

  /// Tokens.
  public record Listed(
      @Field("the tokens, by their names") List<Shown> tokens,
      @Field(Field.NEXT) @Nullable String next) {}

  /// A token that exists.
  public record Chosen(@Field("the name of the token") String token) {}

  /// `token.create`.
  public static final Operation<Wanted, Created> CREATE =
      Operation.change("token.create", Right.TOKENS)
          .at("POST /tokens", "Create a token for a program", Wanted.class, Created.class);

  /// `token.list`.
  public static final Operation<Page, Listed> LIST =
      Operation.read("token.list", Right.TOKENS)
          .at("GET /tokens", "List the tokens of programs", Page.class, Listed.class);

  /// `token.revoke`.
  public static final Operation<Chosen, Nothing> REVOKE =
      Operation.destroy("token.revoke", Right.TOKENS)
          .at("DELETE /tokens/{token}", "Revoke a token", Chosen.class, Nothing.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL = List.of(CREATE, LIST, REVOKE);

  private final ApiTokens tokens;
  private final Catalogue catalogue;
  private final InstantSource clock;

  private TokenOperations(ApiTokens tokens, Catalogue catalogue, InstantSource clock) {
    this.tokens = tokens;
    this.catalogue = catalogue;
    this.clock = clock;
  }

  /// The operations on tokens.
  public static List<Offer<?, ?>> of(ApiTokens tokens, Catalogue catalogue, InstantSource clock) {
    TokenOperations operations = new TokenOperations(tokens, catalogue, clock);
    return List.of(
        CREATE.by(operations::create),
        LIST.by((_, page) -> operations.list(page)),
        REVOKE.by(operations::revoke));
  }

  private Outcome<Created> create(Call call, Wanted wanted) {
    if (call.caller().via() == Caller.Via.API) {
      return Outcome.refused(Reason.FORBIDDEN, "A token cannot create tokens.");
    }
    if (!wanted.name().matches(NAME)) {
      return Outcome.invalid(
          "name", "name must be of letters, digits, dots, dashes and underscores.");
    }
    Duration time = wanted.validFor();
    if (!time.isPositive() || time.compareTo(LONGEST) > 0) {
      return Outcome.invalid("validFor", "validFor must be between 1s and 365d.");
    }
    for (String host : wanted.hosts()) {
      if (!host.equals(catalogue.hostOf(host))) {
        return Outcome.invalid("hosts", host + " is not a host of this server.");
      }
    }
    if (wanted.role().needsHosts() && wanted.hosts().isEmpty()) {
      return Outcome.invalid("hosts", "The role is for some hosts: name them in hosts.");
    }
    Grant grant = grant(wanted);
    if (!mayGive(call.caller(), grant)) {
      return Outcome.refused(Reason.FORBIDDEN, "A token cannot have more rights than you have.");
    }
    Instant expires = clock.instant().plus(time).truncatedTo(ChronoUnit.SECONDS);
    String text = tokens.create(wanted.name(), grant, call.caller().name(), expires);
    if (text == null) {
      return Outcome.conflict(
          "There is a token "
              + wanted.name()
              + ", or there are "
              + ApiTokens.MOST
              + " already; revoke one first.");
    }
    call.changed("token", null, wanted.name());
    return Outcome.done(new Created(wanted.name(), new Secret(text), expires));
  }

  private static Grant grant(Wanted wanted) {
    return new Grant(
        wanted.role(),
        wanted.hosts().isEmpty() ? null : Set.copyOf(wanted.hosts()),
        wanted.rights().isEmpty() ? null : Set.copyOf(wanted.rights()));
  }

  /// The operating system's user could read the database, and so may give the contents of messages
  /// too, which no role has.
  private static boolean mayGive(Caller caller, Grant grant) {
    return caller.via() == Caller.Via.SOCKET || caller.grant().covers(grant);
  }

  private Outcome<Listed> list(Page page) {
    Instant now = clock.instant();
    Map<String, ApiTokens.Use> uses = tokens.uses();
    List<Shown> shown =
        tokens.all().stream()
            .filter(each -> page.after() == null || each.name().compareTo(page.after()) > 0)
            .limit(page.limit() + 1L)
            .map(each -> shown(each, uses.get(each.name()), now))
            .toList();
    boolean more = shown.size() > page.limit();
    List<Shown> some = more ? shown.subList(0, page.limit()) : shown;
    return Outcome.done(new Listed(some, more ? some.getLast().name() : null));
  }

  private static Shown shown(ApiToken token, ApiTokens.@Nullable Use use, Instant now) {
    Grant grant = token.grant();
    return new Shown(
        token.name(),
        grant.role(),
        grant.hosts() == null ? List.of() : List.copyOf(new TreeSet<>(grant.hosts())),
        grant.rights() == null ? List.of() : List.copyOf(new TreeSet<>(grant.rights())),
        token.createdBy(),
        token.created(),
        token.expires(),
        token.hasExpired(now),
        use == null ? null : use.hour(),
        use == null ? null : use.address());
  }

  private Outcome<Nothing> revoke(Call call, Chosen chosen) {
    if (!tokens.revoke(chosen.token())) {
      return Outcome.notFound("There is no token " + chosen.token() + ".");
    }
    call.changed("token", chosen.token(), null);
    return Nothing.done();
  }
}
