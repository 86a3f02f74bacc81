package im.zonda.app;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;

/// The order in which packages may use each other.
///
/// A rung is a package with all its sub-packages, unless a sub-package has a rung of its own: a
/// package stands on the rung with the longest name that fits. `*` stands for one word. Names are
/// relative to the root.
///
/// @param root the package above all rungs
/// @param rungs the lowest first; a package uses those on its own rung and below
record Ladder(String root, List<String> rungs) {
  /// The import ladder, the lowest rung first: a package uses those before it in this list, never
  /// those after. A rung is a package with all its sub-packages; a sub-package that has an order of
  /// its own is listed itself (`module.muc.room`). `*` stands for one word.
  static final List<String> RUNGS =
      List.of(
          "hash",
          "profile",
          "json",
          "jid",
          "xml",
          "xml.framing",
          "stanza",
          "config.annotation",
          "config.copy",
          "config.accounts",
          "config.component",
          "config.group",
          "config.limits",
          "config.monitoring",
          "config.plugin",
          "config",
          "metric",
          "jfr",
          "journal",
          "trace",
          "size",
          "store",
          "account",
          "group",
          "bytestream",
          "directory",
          "federation",
          "http",
          "file",
          "operation",
          "cluster",
          "cluster.placement",
          "cluster.engine",
          "cluster.rule",
          "cluster.frame",
          "cluster.channel",
          "cluster.epoch",
          "storage.memory",
          "storage.sql.database",
          "storage.sql.copy",
          "storage.sql.log",
          "storage.sql.archive",
          "storage.sql.account",
          "storage.sql.journal",
          "storage.sql.sqlite",
          "storage.sql.server",
          "storage.sql.postgresql",
          "storage.sql.mariadb",
          "storage.sql",
          "storage.cache",
          "session",
          "hook",
          "module",
          "plugin",
          "module.*",
          "module.pubsub.node",
          "module.pubsub.owner",
          "module.pubsub.attachment",
          "module.pubsub.following",
          "module.pubsub.request",
          "module.pubsub.caps",
          "module.pubsub.pep",
          "module.pubsub.service",
          "module.pubsub",
          "module.bookmarks",
          "module.following",
          "module.avatar",
          "module.displayed",
          "module.profile",
          "module.muc.room",
          "module.muc.home",
          "module.muc.stanza",
          "module.muc.archive",
          "module.muc.occupant",
          "module.muc.admin",
          "module.muc.discovery",
          "module.muc.service",
          "module.muc",
          "module.circle",
          "web",
          "console",
          "provider.*",
          "runtime",
          "operation.execution",
          "operation.rest",
          "dns",
          "link.ack",
          "link",
          "route",
          "cluster.replica",
          "cluster.inbox",
          "cluster.message",
          "cluster.port",
          "cluster.handover",
          "cluster.forward",
          "cluster.session",
          "cluster.node",
          "home",
          "home.request",
          "home.service",
          "home.remote",
          "home.component",
          "home.session",
          "home.guest",
          "home.account",
          "home.delivery",
          "home.recovery",
          "home.lifecycle",
          "home.router",
          "file.folder",
          "timer",
          "operation.cluster",
          "journal.recording",
          "trace.recording",
          "cluster.membership",
          "auth",
          "throttle",
          "stream",
          "stream.sasl",
          "stream.bound",
          "stream.client",
          "stream.server",
          "stream.component",
          "edge",
          "edge.core",
          "operation.token",
          "host",
          "host.plugin.manifest",
          "host.plugin.jar",
          "host.plugin.guard",
          "host.plugin",
          "net.tls",
          "acme",
          "net.dial",
          "net.proxy",
          "net",
          "net.local",
          "net.bosh",
          "net.websocket",
          "net.http",
          "net.edge",
          "net.socks",
          "cluster.infinispan",
          "app");

  /// The index of the rung on which a package stands, or -1.
  int rungOf(String packageName) {
    int found = -1;
    int longest = 0;
    for (int i = 0; i < rungs.size(); i++) {
      int length = match(rungs.get(i), packageName);
      if (length > longest) {
        found = i;
        longest = length;
      }
    }
    return found;
  }

  /// How well a rung fits: the number of its words, words without `*` before those with it; 0 if
  /// the package is not on it.
  private int match(String rung, String packageName) {
    String[] words = rung.split("\\.", -1);
    if (!packageName.startsWith(root + ".")) {
      return 0;
    }
    String[] given = packageName.substring(root.length() + 1).split("\\.", -1);
    if (given.length < words.length) {
      return 0;
    }
    int score = 0;
    for (int i = 0; i < words.length; i++) {
      boolean same = words[i].equals(given[i]);
      if (!same && !words[i].equals("*")) {
        return 0;
      }
      score += same ? 3 : 2;
    }
    return score;
  }

  /// A class uses only classes on its own rung and below, and stands on a rung.
  ArchCondition<JavaClass> climb() {
    return new ArchCondition<>("use only what is below on the ladder") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        int rung = rungOf(type.getPackageName());
        if (rung < 0) {
          events.add(SimpleConditionEvent.violated(type, type.getPackageName() + " is on no rung"));
          return;
        }
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
          if (rungOf(dependency.getTargetClass().getPackageName()) > rung) {
            events.add(SimpleConditionEvent.violated(type, dependency.getDescription()));
          }
        }
      }
    };
  }
}
