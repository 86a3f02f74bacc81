package im.zonda.app.hosts;

import im.zonda.app.settings.Settings;
import im.zonda.app.settings.SettingsKeys;
import im.zonda.app.settings.toml.SettingsException;
import im.zonda.operation.Call;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Right;
import im.zonda.runtime.FailureText;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Changes of the configuration file of a running server, and what was in it before.
public final class ConfigChangeOperations {
  static final int MOST_TEXT = 10_000;
  static final int MOST_DIFFERENCE = 2_000_000;

  /// Which keys.
  public record Wanted(
      @Field("only keys with these letters in their name or meaning") @Nullable String text,
      @Field("only those that the files or the environment set") boolean set,
      @Field("the last key of the page before") @Nullable String after,
      @Field(value = Field.LIMIT, fallback = "50", min = 1, max = 500) int limit) {}

  /// A key with its value.
  public record Shown(
      @Field("the key") String key,
      @Field(value = "its value, never a secret", max = MOST_TEXT) String value,
      @Field("the file and line that sets it, or a variable; null for the default")
          @Nullable String origin,
      @Field("whether the running server has another value until it is started again")
          boolean waits,
      @Field(value = "what it is for", max = MOST_TEXT) String meaning,
      @Field(value = "what it takes", max = MOST_TEXT) String takes) {}

  /// Keys.
  public record Listed(
      @Field("the keys, in the order of their names") List<Shown> keys,
      @Field(Field.NEXT) @Nullable String next) {}

  /// A change.
  public record Change(
      @Field("the key, such as c2s.listen or host.\"example.org\".contact") String key,
      @Field(
              value = "its value, the elements of a list after commas; without it the default",
              max = MOST_TEXT)
          @Nullable String value,
      @Field(value = "other keys that change at the same time, each as key=value", max = 50)
          List<String> also) {
    /// Rejects secrets, so that none gets into the audit.
    public Change {
      also = List.copyOf(also);
      SettingsKeys.rejectSecret(key, value);
      also.stream()
          .map(Change::setting)
          .forEach(each -> SettingsKeys.rejectSecret(each.key(), each.value()));
    }

    private List<ConfigFile.Setting> settings() {
      List<ConfigFile.Setting> settings = new ArrayList<>();
      settings.add(new ConfigFile.Setting(key, value));
      also.forEach(each -> settings.add(setting(each)));
      return settings;
    }

    private static ConfigFile.Setting setting(String text) {
      int equals = text.indexOf('=');
      return equals < 0
          ? new ConfigFile.Setting(text.strip(), null)
          : new ConfigFile.Setting(
              text.substring(0, equals).strip(), text.substring(equals + 1).strip());
    }
  }

  /// What a change does.
  public record Effect(
      @Field(value = "the lines of the file that differ", form = Form.LINES, max = MOST_DIFFERENCE)
          String difference,
      @Field(value = "what changes at once and what needs a restart", max = 10_000)
          List<String> changes) {}

  /// A page of versions.
  public record Page(
      @Field("the last version of the page before") @Nullable String after,
      @Field(value = Field.LIMIT, fallback = "50", min = 1, max = 200) int limit) {}

  /// What was in the file.
  public record Version(
      @Field("its name") String version,
      @Field("until when it was in the file") Instant time,
      @Field("who has replaced it") String caller,
      @Field("by which change") String change) {}

  /// Versions.
  public record History(
      @Field("the versions, the newest first") List<Version> versions,
      @Field(Field.NEXT) @Nullable String next) {}

  /// One version.
  public record Chosen(@Field("the name of the version") String version) {}

  /// `config.list`.
  public static final Operation<Wanted, Listed> LIST =
      Operation.read("config.list", Right.CONFIGURATION)
          .at(
              "GET /config/keys",
              "List the settings with their values, origins and meanings",
              Wanted.class,
              Listed.class);

  /// `config.preview`.
  public static final Operation<Change, Effect> PREVIEW =
      Operation.read("config.preview", Right.CONFIGURATION)
          .at(
              "GET /config/preview",
              "Show what a change of a setting would do, without doing it",
              Change.class,
              Effect.class);

  /// `config.set`.
  public static final Operation<Change, Effect> SET =
      Operation.change("config.set", Right.CONFIGURATION)
          .at(
              "POST /config/set",
              "Change a setting in the configuration file and take it over",
              Change.class,
              Effect.class);

  /// `config.history`.
  public static final Operation<Page, History> HISTORY =
      Operation.read("config.history", Right.CONFIGURATION)
          .at(
              "GET /config/history",
              "List what was in the configuration file before its changes",
              Page.class,
              History.class);

  /// `config.compare`.
  public static final Operation<Chosen, Effect> COMPARE =
      Operation.read("config.compare", Right.CONFIGURATION)
          .at(
              "GET /config/history/{version}",
              "Show what would change with a former content of the configuration file",
              Chosen.class,
              Effect.class);

  /// `config.revert`.
  public static final Operation<Chosen, Effect> REVERT =
      Operation.change("config.revert", Right.CONFIGURATION)
          .at(
              "POST /config/history/{version}",
              "Put a former content back into the configuration file and take it over",
              Chosen.class,
              Effect.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL =
      List.of(LIST, PREVIEW, SET, HISTORY, COMPARE, REVERT);

  @FunctionalInterface
  private interface Draw {
    ConfigFile.Draft draft() throws IOException;
  }

  private final ConfigReload config;
  private final ConfigSource source;
  private final ConfigFile file;

  /// @param config the configuration in force
  /// @param source where it is read again
  /// @param listeners the addresses at which the server listens
  public ConfigChangeOperations(
      ConfigReload config,
      ConfigSource source,
      Supplier<List<String>> listeners,
      InstantSource clock) {
    this.config = config;
    this.source = source;
    this.file = new ConfigFile(config, source, listeners, clock);
  }

  /// The operations.
  public List<Offer<?, ?>> offers() {
    return List.of(
        LIST.by((_, wanted) -> list(wanted)),
        PREVIEW.by((_, change) -> preview(() -> file.draft(change.settings()))),
        SET.by((call, change) ->
            apply(call, () -> file.draft(change.settings()), "config.set " + names(change))),
        HISTORY.by((_, page) -> history(page)),
        COMPARE.by((_, chosen) -> preview(() -> former(chosen.version()))),
        REVERT.by((call, chosen) ->
            apply(call, () -> former(chosen.version()), "config.revert " + chosen.version())));
  }

  private static String names(Change change) {
    return change.settings().stream()
        .map(ConfigFile.Setting::key)
        .collect(Collectors.joining(", "));
  }

  private ConfigFile.Draft former(String version) throws IOException {
    String content = file.history().content(version);
    if (content == null) {
      throw new IllegalArgumentException("there is no version " + version);
    }
    return file.former(content);
  }

  private Outcome<Listed> list(Wanted wanted) {
    Settings settings;
    try {
      settings = source.read();
    } catch (SettingsException e) {
      return Outcome.conflict(e.getMessage() + ".");
    } catch (IOException e) {
      return Outcome.refused(Reason.UNAVAILABLE, FailureText.of(e) + ".");
    }
    List<Shown> found = new ArrayList<>();
    for (SettingsKeys.Described each : SettingsKeys.describe(settings, config.running())) {
      if (found.size() <= wanted.limit() && fits(each, wanted)) {
        found.add(
            new Shown(
                each.key(),
                each.value(),
                each.origin() == null ? null : each.origin().toString(),
                each.waits(),
                each.meaning(),
                each.takes()));
      }
    }
    boolean more = found.size() > wanted.limit();
    List<Shown> some = more ? found.subList(0, wanted.limit()) : found;
    return Outcome.done(new Listed(List.copyOf(some), more ? some.getLast().key() : null));
  }

  private static boolean fits(SettingsKeys.Described key, Wanted wanted) {
    String text = wanted.text() == null ? "" : wanted.text().toLowerCase(Locale.ROOT);
    return (wanted.after() == null || key.key().compareTo(wanted.after()) > 0)
        && (!wanted.set() || key.origin() != null)
        && (key.key().contains(text) || key.meaning().toLowerCase(Locale.ROOT).contains(text));
  }

  private Outcome<History> history(Page page) {
    try {
      List<Version> found =
          file.history().list(page.after(), page.limit() + 1).stream()
              .map(each -> new Version(each.name(), each.time(), each.caller(), each.change()))
              .toList();
      boolean more = found.size() > page.limit();
      List<Version> some = more ? found.subList(0, page.limit()) : found;
      return Outcome.done(new History(some, more ? some.getLast().version() : null));
    } catch (IOException e) {
      return Outcome.refused(Reason.UNAVAILABLE, FailureText.of(e) + ".");
    }
  }

  private Outcome<Effect> preview(Draw draw) {
    try {
      ConfigFile.Draft draft = draw.draft();
      return Outcome.done(effect(draft, file.check(draft)));
    } catch (SettingsException e) {
      return Outcome.refused(Reason.INVALID, e.getMessage() + ".");
    } catch (IllegalArgumentException e) {
      return Outcome.refused(Reason.INVALID, e.getMessage() + ".");
    } catch (IOException e) {
      return Outcome.refused(Reason.UNAVAILABLE, FailureText.of(e) + ".");
    }
  }

  private Outcome<Effect> apply(Call call, Draw draw, String change) {
    synchronized (config) {
      try {
        ConfigFile.Draft draft = draw.draft();
        Effect effect = effect(draft, file.apply(call, draft, change));
        call.changed("configuration file", null, String.join("\n", draft.difference()));
        return Outcome.done(effect);
      } catch (SettingsException e) {
        return ConfigOperations.wrong(e);
      } catch (IllegalArgumentException e) {
        return Outcome.refused(Reason.INVALID, e.getMessage() + ".");
      } catch (IOException e) {
        return Outcome.refused(Reason.UNAVAILABLE, FailureText.of(e) + ".");
      }
    }
  }

  private static Effect effect(ConfigFile.Draft draft, List<String> changes) {
    List<String> lines = draft.difference();
    return new Effect(lines.isEmpty() ? "" : String.join("\n", lines) + "\n", changes);
  }
}
