package im.zonda.app.command;

import im.zonda.app.settings.Settings;
import im.zonda.app.settings.check.CertificateChecks;
import im.zonda.app.settings.plugin.PluginChecks;
import im.zonda.app.settings.toml.Place;
import im.zonda.app.settings.toml.Problem;
import im.zonda.app.settings.toml.SettingsException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `zonda config check`: as the operation `config.check`, which only a running server has; the
/// command must also work before there is one, and without stores.
@Command(
    name = "check",
    description = "Check the configuration and report every error.",
    footer = {
      "",
      "The files that it names are read: certificates, keys, pictures. A warning is about what the"
          + " server accepts, and others may not."
    })
final class ConfigCheckCommand implements Callable<Integer> {
  @Mixin private ConfigOptions options;
  @Spec private CommandSpec spec;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  ConfigCheckCommand() {}

  @Override
  public Integer call() throws Exception {
    Settings settings = options.read();
    Path file = options.file();
    Place start = new Place(file == null ? "default configuration" : file.toString(), 1, 1);
    List<Problem> errors = new ArrayList<>();
    List<Problem> warnings = new ArrayList<>();
    for (CertificateChecks.Finding each :
        new CertificateChecks(settings.config(), InstantSource.system().instant()).run()) {
      Place place = settings.places().getOrDefault(each.key(), start);
      (each.refused() ? errors : warnings)
          .add(new Problem(place, (each.refused() ? "" : "warning: ") + each.text()));
    }
    new PluginChecks(
            settings.plugins(),
            (key, text) ->
                warnings.add(
                    new Problem(settings.places().getOrDefault(key, start), "warning: " + text)))
        .warnings(settings.config());
    PrintWriter out = spec.commandLine().getOut();
    warnings.forEach(out::println);
    if (!errors.isEmpty()) {
      throw new SettingsException(errors);
    }
    out.println(
        start.source()
            + ": no errors"
            + switch (warnings.size()) {
              case 0 -> "";
              case 1 -> ", 1 warning";
              default -> ", " + warnings.size() + " warnings";
            });
    return 0;
  }
}
