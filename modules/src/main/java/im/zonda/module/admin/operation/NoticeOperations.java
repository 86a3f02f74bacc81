package im.zonda.module.admin.operation;

import im.zonda.module.ModuleContext;
import im.zonda.module.admin.home.Announcements;
import im.zonda.module.admin.home.HostSettings;
import im.zonda.module.admin.home.Notice;
import im.zonda.operation.Call;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Operations for messages of the host to its users.
public final class NoticeOperations {
  /// The most characters of a message.
  public static final int MOST_CHARS = 10_000;

  /// A host.
  public record Chosen(@Field(value = "the host", form = Form.DOMAIN) String host) {}

  /// A stored message.
  public record Shown(
      @Field(value = "the text; nothing if there is none", form = Form.LINES) @Nullable String text,
      @Field("since when users get it") @Nullable Instant since) {}

  /// A message to store.
  public record Text(
      @Field(value = "the host", form = Form.DOMAIN) String host,
      @Field(value = "the text", form = Form.LINES, max = MOST_CHARS) String text,
      @Field("whether it only corrects the present one: who has got that does not get it again")
          boolean edit) {}

  /// A message to new users.
  public record Welcome(
      @Field(value = "the host", form = Form.DOMAIN) String host,
      @Field(value = "the text", form = Form.LINES, max = MOST_CHARS) String text) {}

  /// Who gets an announcement.
  public enum Audience {
    /// Those who are online.
    ONLINE,
    /// All accounts: it waits for those who are offline.
    ALL
  }

  /// An announcement.
  public record Announcement(
      @Field(value = "the host", form = Form.DOMAIN) String host,
      @Field(value = "the text", form = Form.LINES, max = MOST_CHARS) String text,
      @Field(value = "who gets it", fallback = "online") Audience audience,
      @Field("whether those who would get it are only counted") boolean dryRun) {}

  /// Who gets an announcement.
  public record Announced(@Field("how many accounts") long accounts) {}

  /// `notice.announce`.
  public static final Operation<Announcement, Announced> ANNOUNCE =
      Operation.change("notice.announce", Right.NOTICES)
          .at(
              "POST /hosts/{host}/announcements",
              "Send an announcement",
              Announcement.class,
              Announced.class);

  /// `motd.show`.
  public static final Operation<Chosen, Shown> SHOW_MOTD =
      Operation.read("motd.show", Right.NOTICES)
          .at("GET /hosts/{host}/motd", "Show the message of the day", Chosen.class, Shown.class);

  /// `motd.set`.
  public static final Operation<Text, Nothing> SET_MOTD =
      Operation.change("motd.set", Right.NOTICES)
          .at(
              "PUT /hosts/{host}/motd",
              "Set the message of the day, which users get once",
              Text.class,
              Nothing.class);

  /// `motd.remove`.
  public static final Operation<Chosen, Nothing> REMOVE_MOTD =
      Operation.change("motd.remove", Right.NOTICES)
          .at(
              "DELETE /hosts/{host}/motd",
              "Remove the message of the day",
              Chosen.class,
              Nothing.class);

  /// `welcome.show`.
  public static final Operation<Chosen, Shown> SHOW_WELCOME =
      Operation.read("welcome.show", Right.NOTICES)
          .at(
              "GET /hosts/{host}/welcome",
              "Show the message to new users",
              Chosen.class,
              Shown.class);

  /// `welcome.set`.
  public static final Operation<Welcome, Nothing> SET_WELCOME =
      Operation.change("welcome.set", Right.NOTICES)
          .at(
              "PUT /hosts/{host}/welcome",
              "Set the message to new users",
              Welcome.class,
              Nothing.class);

  /// `welcome.remove`.
  public static final Operation<Chosen, Nothing> REMOVE_WELCOME =
      Operation.change("welcome.remove", Right.NOTICES)
          .at(
              "DELETE /hosts/{host}/welcome",
              "Remove the message to new users",
              Chosen.class,
              Nothing.class);

  /// All of them.
  public static final List<Operation<?, ?>> ALL =
      List.of(
          ANNOUNCE, SHOW_MOTD, SET_MOTD, REMOVE_MOTD, SHOW_WELCOME, SET_WELCOME, REMOVE_WELCOME);

  private final ModuleContext context;
  private final HostSettings settings;
  private final Announcements announcements;

  /// @param context has the clock
  public NoticeOperations(
      ModuleContext context, HostSettings settings, Announcements announcements) {
    this.context = context;
    this.settings = settings;
    this.announcements = announcements;
  }

  /// The operations of the host.
  public List<Offer<?, ?>> offers() {
    return List.of(
        ANNOUNCE.by(this::announce),
        SHOW_MOTD.by((_, _) -> show(settings.values().motd())),
        SET_MOTD.by(this::setMotd),
        REMOVE_MOTD.by(
            (call, _) -> change(call, "motd", settings.values().motd(), null, settings::motd)),
        SHOW_WELCOME.by((_, _) -> show(settings.values().welcome())),
        SET_WELCOME.by(this::setWelcome),
        REMOVE_WELCOME.by((call, _) ->
            change(call, "welcome", settings.values().welcome(), null, settings::welcome)));
  }

  private static Outcome<Shown> show(@Nullable Notice notice) {
    return Outcome.done(
        notice == null ? new Shown(null, null) : new Shown(notice.text(), notice.since()));
  }

  private static <R extends Record> @Nullable Outcome<R> empty(String text) {
    return text.isBlank() ? Outcome.invalid("text", "The text is empty.") : null;
  }

  /// A headline is not kept for those who are offline.
  private Outcome<Announced> announce(Call call, Announcement wanted) throws InterruptedException {
    Outcome<Announced> empty = empty(wanted.text());
    if (empty != null) {
      return empty;
    }
    return switch (wanted.audience()) {
      case ONLINE ->
          Outcome.done(
              new Announced(
                  wanted.dryRun()
                      ? announcements.countOnline()
                      : announcements.send(Announcements.SUBJECT, wanted.text())));
      case ALL ->
          wanted.dryRun()
              ? Outcome.done(new Announced(announcements.countAll()))
              : call.start(
                  "Send an announcement to all accounts of " + wanted.host(),
                  progress ->
                      announcements.sendToAll(Announcements.SUBJECT, wanted.text(), progress));
    };
  }

  /// Users who are online get it at once, the others when they become available.
  private Outcome<Nothing> setMotd(Call call, Text wanted) throws InterruptedException {
    Outcome<Nothing> empty = empty(wanted.text());
    if (empty != null) {
      return empty;
    }
    Notice before = settings.values().motd();
    boolean corrects = wanted.edit() && before != null;
    Notice motd = new Notice(since(corrects ? before : null), wanted.text());
    Outcome<Nothing> done = change(call, "motd", before, motd, settings::motd);
    if (!wanted.edit()) {
      announcements.send(Announcements.MOTD_SUBJECT, motd.text());
    }
    return done;
  }

  private Instant since(@Nullable Notice before) {
    return before == null ? context.clock().instant() : before.since();
  }

  private Outcome<Nothing> setWelcome(Call call, Welcome wanted) {
    Outcome<Nothing> empty = empty(wanted.text());
    if (empty != null) {
      return empty;
    }
    Notice before = settings.values().welcome();
    Notice welcome = new Notice(since(before), wanted.text());
    return change(call, "welcome", before, welcome, settings::welcome);
  }

  private static Outcome<Nothing> change(
      Call call,
      String what,
      @Nullable Notice before,
      @Nullable Notice after,
      Consumer<@Nullable Notice> setting) {
    setting.accept(after);
    call.changed(what, text(before), text(after));
    return Nothing.done();
  }

  private static @Nullable String text(@Nullable Notice notice) {
    return notice == null ? null : notice.text();
  }
}
