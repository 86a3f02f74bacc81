package im.zonda.app.hosts;

import im.zonda.app.settings.Settings;
import im.zonda.app.settings.SettingsText;
import im.zonda.app.settings.plugin.PluginChecks;
import im.zonda.app.settings.toml.Place;
import im.zonda.app.settings.toml.Problem;
import im.zonda.app.settings.toml.SettingsException;
import im.zonda.operation.Call;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Right;
import im.zonda.runtime.FailureText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// The configuration of a running server.
///
/// @param config the configuration in force
/// @param source where it is read again
public record ConfigOperations(ConfigReload config, ConfigSource source) {
  static final int MOST = 1_000_000;

  /// A configuration.
  public record Shown(
      @Field(
              value = "the configuration, with the origin of each value",
              form = Form.LINES,
              max = MOST)
          String toml) {}

  /// What is wrong.
  public record Checked(
      @Field(value = "the errors", max = MOST) List<String> errors,
      @Field(value = "what the server accepts, and is probably not meant", max = MOST)
          List<String> warnings) {}

  /// What was done.
  public record Changed(
      @Field(value = "what has changed and what needs a restart", max = MOST)
          List<String> changes) {
    /// The lines for a terminal.
    public String text() {
      return changes.isEmpty() ? "nothing has changed\n" : String.join("\n", changes) + "\n";
    }
  }

  /// `config.show`.
  public static final Operation<Nothing, Shown> SHOW =
      Operation.read("config.show", Right.CONFIGURATION)
          .ofNode()
          .at(
              "GET /config",
              "Show the configuration that the files have now, and the origin of each value",
              Nothing.class,
              Shown.class);

  /// `config.check`.
  public static final Operation<Nothing, Checked> CHECK =
      Operation.read("config.check", Right.CONFIGURATION)
          .ofNodes()
          .at(
              "GET /config/check",
              "Check the files of the configuration",
              Nothing.class,
              Checked.class);

  /// `config.reload`.
  public static final Operation<Nothing, Changed> RELOAD =
      Operation.change("config.reload", Right.CONFIGURATION)
          .ofNodes()
          .at(
              "POST /config/reload",
              "Read the configuration again and take it over",
              Nothing.class,
              Changed.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL = List.of(SHOW, CHECK, RELOAD);

  /// The operations.
  public List<Offer<?, ?>> offers() {
    return List.of(
        SHOW.by((_, _) -> show()),
        CHECK.by((_, _) -> check()),
        RELOAD.by((call, _) -> reload(call)));
  }

  private Outcome<Shown> show() {
    try {
      Settings settings = source.read();
      return Outcome.done(new Shown(SettingsText.show(settings)));
    } catch (SettingsException e) {
      return Outcome.conflict(e.getMessage() + ".");
    } catch (IOException e) {
      return Outcome.refused(Reason.UNAVAILABLE, FailureText.of(e) + ".");
    }
  }

  private Outcome<Checked> check() {
    try {
      return Outcome.done(new Checked(List.of(), warnings(source.read())));
    } catch (SettingsException e) {
      return Outcome.done(
          new Checked(e.problems().stream().map(Problem::toString).toList(), List.of()));
    } catch (IOException e) {
      return Outcome.refused(Reason.UNAVAILABLE, FailureText.of(e) + ".");
    }
  }

  private static List<String> warnings(Settings settings) {
    List<String> warnings = new ArrayList<>();
    new PluginChecks(
            settings.plugins(),
            (key, text) -> {
              Place place = settings.places().get(key);
              warnings.add(place == null ? text : place + ": " + text);
            })
        .warnings(settings.config());
    return warnings;
  }

  private Outcome<Changed> reload(Call call) {
    try {
      return Outcome.done(new Changed(reloaded(call, config)));
    } catch (SettingsException e) {
      return wrong(e);
    } catch (IOException e) {
      return Outcome.refused(Reason.UNAVAILABLE, FailureText.of(e));
    }
  }

  /// The configuration is wrong: what is wrong is the files, as with a wrong command.
  static <R extends Record> Outcome<R> wrong(SettingsException wrong) {
    return Outcome.refused(Reason.INVALID, wrong.getMessage() + "\nnothing has changed");
  }

  /// Reloads, and says so in the audit.
  static List<String> reloaded(Call call, ConfigReload config)
      throws SettingsException, IOException {
    List<String> lines = config.reload();
    lines.forEach(line -> call.changed(line, null, null));
    return lines;
  }
}
