package im.zonda.console;

import im.zonda.account.PasswordLogin;
import im.zonda.console.live.EventStreams;
import im.zonda.console.login.AdminSessions;
import im.zonda.console.login.Administrators;
import im.zonda.console.login.ConsoleOperations;
import im.zonda.console.login.OneTimeLinks;
import im.zonda.console.login.RequestCheck;
import im.zonda.console.login.SignInPages;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpResponse;
import im.zonda.http.HttpRoute;
import im.zonda.operation.Caller;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Operations;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The admin console of a server. Any thread may call.
public final class Console {
  /// The definitions of the operations on the console itself.
  public static final List<Operation<?, ?>> OPERATIONS = ConsoleOperations.ALL;

  private static final String NAME = "/admin";

  /// What the console needs.
  ///
  /// @param operations reads and changes everything
  /// @param passwords checks passwords of administrators
  /// @param hosts the domains of the hosts
  /// @param origin where browsers find the console, without a path; null if nowhere
  /// @param label a word that every page shows; may be empty
  /// @param renewal how often pages are renewed
  /// @param random cryptographically strong
  public record Parts(
      Operations operations,
      PasswordLogin passwords,
      Supplier<List<String>> hosts,
      Supplier<@Nullable String> origin,
      String label,
      Duration renewal,
      InstantSource clock,
      RandomGenerator random) {}

  private final Parts parts;
  private final OneTimeLinks links;
  private final AdminSessions sessions;
  private final ConsoleOperations own;
  private final EventStreams streams;

  // Guarded by this object's monitor. Made by the first request: most servers get none for long.
  private @Nullable ConsoleSite site;

  public Console(Parts parts) {
    this.parts = parts;
    this.links = new OneTimeLinks(parts.clock(), parts.random());
    this.sessions = new AdminSessions(parts.clock(), parts.random());
    this.own = new ConsoleOperations(links, sessions, parts.origin(), parts.clock());
    this.streams = new EventStreams(parts.renewal());
  }

  /// The operations on the console itself.
  public List<Offer<?, ?>> offers() {
    return own.offers();
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

  private synchronized ConsoleSite site() {
    ConsoleSite made = site;
    if (made == null) {
      made =
          new ConsoleSite(
              parts,
              links,
              sessions,
              new Administrators(parts.operations(), parts.passwords(), parts.hosts()),
              streams);
      site = made;
    }
    return made;
  }
}
