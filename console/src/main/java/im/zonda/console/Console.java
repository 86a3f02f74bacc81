package im.zonda.console;

import im.zonda.account.PasswordLogin;
import im.zonda.console.factor.Challenges;
import im.zonda.console.factor.Factors;
import im.zonda.console.live.EventStreams;
import im.zonda.console.login.AdminSessions;
import im.zonda.console.login.Administrators;
import im.zonda.console.login.ConsoleOperations;
import im.zonda.console.login.FactorOperations;
import im.zonda.console.login.OneTimeLinks;
import im.zonda.console.login.Protection;
import im.zonda.console.login.RequestCheck;
import im.zonda.console.login.SignInPages;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpResponse;
import im.zonda.http.HttpRoute;
import im.zonda.http.Signer;
import im.zonda.operation.AuditTrail;
import im.zonda.operation.Caller;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Operations;
import im.zonda.store.KeyValueStore;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The admin console of a server. Any thread may call.
public final class Console {
  /// The definitions of the operations on the console itself.
  public static final List<Operation<?, ?>> OPERATIONS =
      Stream.<Operation<?, ?>>concat(ConsoleOperations.ALL.stream(), FactorOperations.ALL.stream())
          .toList();

  private static final String NAME = "/admin";

  /// What the console needs.
  ///
  /// @param operations reads and changes everything
  /// @param passwords checks passwords of administrators
  /// @param hosts the domains of the hosts
  /// @param origin where browsers find the console, without a path; null if nowhere
  /// @param label a word that every page shows; may be empty
  /// @param renewal how often pages are renewed
  /// @param kept where the console keeps what it must remember
  /// @param secondFactorRequired whether who signs in with a password must have a second factor
  /// @param sso the issuer by whose pages administrators may sign in; null if there is none
  /// @param random cryptographically strong
  public record Parts(
      Operations operations,
      PasswordLogin passwords,
      Supplier<List<String>> hosts,
      Supplier<@Nullable String> origin,
      String label,
      Duration renewal,
      Kept kept,
      boolean secondFactorRequired,
      Administrators.@Nullable Sso sso,
      InstantSource clock,
      RandomGenerator random) {}

  /// Where the console keeps what it must remember.
  ///
  /// @param stores the key-value stores by their names
  /// @param signer derives keys from the server's secret
  /// @param audit records changes
  public record Kept(Function<String, KeyValueStore> stores, Signer signer, AuditTrail audit) {}

  private final Parts parts;
  private final OneTimeLinks links;
  private final Protection protection;
  private final ConsoleOperations own;
  private final FactorOperations factors;
  private final EventStreams streams;

  // Guarded by this object's monitor. Made by the first request: most servers get none for long.
  private @Nullable ConsoleSite site;

  public Console(Parts parts) {
    this.parts = parts;
    this.links = new OneTimeLinks(parts.clock(), parts.random());
    this.protection = protection(parts);
    this.own = new ConsoleOperations(links, protection.sessions(), parts.origin(), parts.clock());
    this.factors = new FactorOperations(protection.factors());
    this.streams = new EventStreams(parts.renewal());
  }

  private static Protection protection(Parts parts) {
    Function<String, KeyValueStore> stores = parts.kept().stores();
    Signer signer = parts.kept().signer();
    InstantSource clock = parts.clock();
    return new Protection(
        new Factors(stores, signer, clock, parts.random()),
        new Challenges(stores.apply(Challenges.STORE), signer, clock, parts.random()),
        new AdminSessions(stores.apply(AdminSessions.STORE), clock, parts.random()),
        parts.kept().audit(),
        clock,
        parts.secondFactorRequired());
  }

  /// The operations on the console itself.
  public List<Offer<?, ?>> offers() {
    return Stream.concat(own.offers().stream(), factors.offers().stream()).toList();
  }

  /// The address of a new one-time link for someone; null if browsers find the console nowhere.
  public @Nullable String newLink(Caller caller) {
    return own.newLink(caller);
  }

  /// The routes of the console.
  ///
  /// @param allowed the addresses that may ask where these routes are the only ones; null where
  ///   they are beside those of other pages, which are for this machine only
  public List<HttpRoute> routes(@Nullable Predicate<InetAddress> allowed) {
    RequestCheck check = new RequestCheck(allowed);
    return List.of(
        HttpRoute.exact(
            NAME,
            HttpMethod.GET,
            request -> {
              check.check(request);
              return HttpResponse.redirect(308, SignInPages.FOLDER);
            }),
        new HttpRoute(
            SignInPages.FOLDER,
            true,
            Set.of(HttpMethod.GET, HttpMethod.POST),
            false,
            request -> site().answer(request, check)));
  }

  /// The paths of the pages that have one of their own, as opposed to those of operations.
  public List<String> paths() {
    return site().paths();
  }

  private synchronized ConsoleSite site() {
    ConsoleSite made = site;
    if (made == null) {
      made =
          new ConsoleSite(
              parts,
              links,
              protection,
              new Administrators(parts.operations(), parts.passwords(), parts.hosts(), parts.sso()),
              streams);
      site = made;
    }
    return made;
  }
}
