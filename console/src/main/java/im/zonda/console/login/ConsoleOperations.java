package im.zonda.console.login;

import im.zonda.operation.Call;
import im.zonda.operation.Caller;
import im.zonda.operation.Field;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Right;
import im.zonda.operation.Secret;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Operations on the admin console: one-time links, and who has signed in.
public final class ConsoleOperations {
  /// A link.
  public record Created(
      @Field("the address, which signs in once, with all rights") Secret url,
      @Field("until when it is valid") Instant ends) {}

  /// A page of sessions.
  public record Page(
      @Field("the last session of the page before") @Nullable String after,
      @Field(value = "the most sessions", min = 1, max = 200, fallback = "50") int limit) {}

  /// A session.
  public record Shown(
      @Field("the session") String session,
      @Field("who has signed in") String name,
      @Field("by what") Identity.Way way,
      @Field("from where") String address,
      @Field("since when") Instant since,
      @Field("when it was used last") Instant used) {}

  /// Sessions.
  public record Listed(
      @Field("the sessions") List<Shown> sessions, @Field(Field.NEXT) @Nullable String next) {}

  /// A session that exists.
  public record Chosen(@Field("the session") String session) {}

  /// `admin.link`.
  public static final Operation<Nothing, Created> LINK =
      Operation.change("admin.link", Right.SERVER)
          .at(
              "POST /admin/links",
              "Make a link that signs in to the admin console once, within 10 minutes",
              Nothing.class,
              Created.class);

  /// `admin.sessions`.
  public static final Operation<Page, Listed> SESSIONS =
      Operation.read("admin.sessions", Right.TOKENS)
          .at(
              "GET /admin/sessions",
              "List who has signed in to the admin console",
              Page.class,
              Listed.class);

  /// `admin.end-session`.
  public static final Operation<Chosen, Nothing> END =
      Operation.change("admin.end-session", Right.TOKENS)
          .at(
              "DELETE /admin/sessions/{session}",
              "Sign someone out of the admin console",
              Chosen.class,
              Nothing.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL = List.of(LINK, SESSIONS, END);

  private final OneTimeLinks links;
  private final AdminSessions sessions;
  private final Supplier<@Nullable String> origin;
  private final InstantSource clock;

  /// @param origin where browsers find the console, without a path; null if nowhere
  public ConsoleOperations(
      OneTimeLinks links,
      AdminSessions sessions,
      Supplier<@Nullable String> origin,
      InstantSource clock) {
    this.links = links;
    this.sessions = sessions;
    this.origin = origin;
    this.clock = clock;
  }

  /// The operations.
  public List<Offer<?, ?>> offers() {
    return List.of(
        LINK.by((call, _) -> link(call)),
        SESSIONS.by((_, page) -> Outcome.done(list(page))),
        END.by(this::end));
  }

  /// A link gives all that its maker has, for longer than the maker may have it: so only the owner
  /// of the process makes some.
  private Outcome<Created> link(Call call) {
    if (call.caller().via() != Caller.Via.SOCKET) {
      return Outcome.refused(
          Reason.FORBIDDEN, "Only the command zonda admin link, at the server, makes links.");
    }
    String url = newLink(call.caller());
    if (url == null) {
      return Outcome.refused(
          Reason.NOT_APPLICABLE, "No address of http.listen or admin.listen-tls has the console.");
    }
    call.changed("link", null, "one that is valid once");
    return Outcome.done(new Created(new Secret(url), clock.instant().plus(OneTimeLinks.VALID)));
  }

  /// The address of a new link for someone; null if the console is nowhere.
  public @Nullable String newLink(Caller caller) {
    String found = origin.get();
    return found == null
        ? null
        : found + SignInPages.LINK + "#" + links.create(caller.name(), caller.grant());
  }

  private Listed list(Page page) {
    List<Shown> shown =
        sessions.all().stream()
            .filter(each -> page.after() == null || each.id().compareTo(page.after()) > 0)
            .limit(page.limit() + 1L)
            .map(ConsoleOperations::shown)
            .toList();
    boolean more = shown.size() > page.limit();
    List<Shown> some = more ? shown.subList(0, page.limit()) : shown;
    return new Listed(some, more ? some.getLast().session() : null);
  }

  private static Shown shown(AdminSessions.Shown session) {
    return new Shown(
        session.id(),
        session.identity().name(),
        session.identity().way(),
        session.address(),
        session.began(),
        session.used());
  }

  private Outcome<Nothing> end(Call call, Chosen chosen) {
    if (!sessions.end(chosen.session())) {
      return Outcome.notFound("There is no session " + chosen.session() + ".");
    }
    call.changed("session", chosen.session(), null);
    return Nothing.done();
  }
}
