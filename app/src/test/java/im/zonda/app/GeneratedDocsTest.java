package im.zonda.app;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.command.Commands;
import im.zonda.app.command.help.CommandReference;
import im.zonda.app.log.EventReference;
import im.zonda.app.metric.MetricReference;
import im.zonda.app.modules.NamespaceReference;
import im.zonda.app.monitoring.AlertRules;
import im.zonda.app.monitoring.Dashboard;
import im.zonda.app.operation.OperationReference;
import im.zonda.app.operation.StandardOperations;
import im.zonda.app.settings.SettingsText;
import im.zonda.app.settings.plugin.ManifestReader;
import im.zonda.host.plugin.manifest.PluginManifest;
import im.zonda.json.JsonText;
import im.zonda.module.Xep;
import im.zonda.operation.rest.OpenApi;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Generated pages are up to date. `./zonda docs` regenerates them.
class GeneratedDocsTest {
  private static final boolean REGENERATE = Boolean.getBoolean("zonda.regenerate");

  @Test
  void theConfigurationReference() throws IOException {
    check("docs/reference/config.md", SettingsText.reference());
    check("docs/reference/edge.md", SettingsText.edgeReference());
  }

  @Test
  void theSettingsOfPlugins() throws Exception {
    List<PluginManifest> shipped = new ArrayList<>();
    for (Path file : SourceTree.texts()) {
      if (file.startsWith("plugins") && file.endsWith("src/main/resources/plugin.toml")) {
        shipped.add(ManifestReader.read(Files.readAllBytes(SourceTree.root().resolve(file))));
      }
    }
    assertThat(shipped).isNotEmpty();
    shipped.sort(Comparator.comparing(PluginManifest::name));
    check("docs/reference/plugins.md", SettingsText.pluginReference(shipped));
  }

  @Test
  void theOperations() throws IOException {
    check("docs/reference/operations.md", OperationReference.markdown());
    check("docs/reference/openapi.json", JsonText.indented(OpenApi.of(StandardOperations.ALL)));
  }

  @Test
  void theCommands() throws IOException {
    PrintWriter nothing = new PrintWriter(Writer.nullWriter());
    check(
        "docs/reference/commands.md",
        CommandReference.markdown(Commands.of(Main.program(), nothing, nothing)));
  }

  @Test
  void theMeters() throws IOException {
    check("docs/reference/metrics.md", MetricReference.markdown());
    check("docs/monitoring/grafana.json", Dashboard.json());
    check("docs/monitoring/alerts.yml", AlertRules.yaml());
  }

  @Test
  void theEvents() throws IOException {
    List<String> product = new ArrayList<>();
    for (Path file : SourceTree.java()) {
      if (file.toString().contains("/src/main/java/")) {
        product.add(SourceTree.read(file));
      }
    }
    EventReference events = EventReference.of(product);
    assertThat(events.differences()).isEmpty();
    check("docs/reference/events.md", events.markdown());
  }

  @Test
  void theExtensions() throws Exception {
    XepReference reference = XepReference.of(extensions());
    check("docs/reference/xeps.md", reference.markdown());
    check("docs/reference/doap.xml", reference.doap());
    check("app/src/main/resources/im/zonda/app/compliance/xeps.txt", reference.index());
  }

  @Test
  void theNamespaces() throws IOException {
    check("docs/reference/namespaces.md", NamespaceReference.markdown());
  }

  /// Every class of the product that says which XEP it implements.
  private static List<Class<?>> extensions() throws Exception {
    List<Class<?>> classes = new ArrayList<>();
    for (Path file : SourceTree.java()) {
      String name = file.toString();
      int sources = name.indexOf("/src/main/java/");
      if (sources >= 0 && SourceTree.read(file).contains("\n@Xep(")) {
        String inner = name.substring(sources + "/src/main/java/".length(), name.length() - 5);
        Class<?> type = Class.forName(inner.replace('/', '.'), false, Xep.class.getClassLoader());
        assertThat(type.getAnnotationsByType(Xep.class)).as(name).isNotEmpty();
        classes.add(type);
      }
    }
    assertThat(classes).hasSizeGreaterThan(10);
    return classes;
  }

  private static void check(String file, String fresh) throws IOException {
    Path path = SourceTree.root().resolve(file);
    if (REGENERATE) {
      Files.writeString(path, fresh);
    }
    String kept = Files.exists(path) ? Files.readString(path) : "";
    assertThat(kept).as(file + " is stale: run ./zonda docs").isEqualTo(fresh);
  }
}
