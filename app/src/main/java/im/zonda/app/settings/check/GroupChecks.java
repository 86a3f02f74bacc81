package im.zonda.app.settings.check;

import im.zonda.config.ServerConfig;
import im.zonda.config.group.GroupSettings;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/// Checks of shared groups.
public final class GroupChecks {
  private static final int NAME_BYTES = 256;

  private final BiConsumer<String, String> report;
  private final Set<String> reported = new HashSet<>();

  /// @param report gets the dotted path and the text of each problem
  public GroupChecks(BiConsumer<String, String> report) {
    this.report = report;
  }

  /// Reports what cannot be used of the groups of a host. What is wrong for several hosts is
  /// reported once.
  public void run(String host, ServerConfig config) {
    ServerConfig.Host own = config.host().get(host);
    Map<String, GroupSettings> ofHost = own == null ? null : own.group();
    Map<String, GroupSettings> all = config.at(host).group();
    new TreeMap<>(all)
        .forEach((id, group) -> {
          boolean isOfHost = ofHost != null && ofHost.containsKey(id);
          String path = (isOfHost ? "host." + host + "." : "") + "group." + id;
          check(path, host, group, all.keySet());
        });
  }

  private void check(String path, String host, GroupSettings group, Set<String> ids) {
    String name = group.name();
    if (name != null
        && (name.isBlank()
            || name.getBytes(StandardCharsets.UTF_8).length > NAME_BYTES
            || name.codePoints().anyMatch(Character::isISOControl))) {
      report(path + ".name", "a line of at most " + NAME_BYTES + " bytes is expected");
    }
    for (String member : group.members()) {
      if (!isAccount(member, host)) {
        report(path + ".members", member + " is no account of the host; a local part is expected");
      }
    }
    references(path + ".groups", group.groups(), ids);
    references(path + ".seen-by", group.seenBy(), ids);
  }

  /// Groups of the store and of providers have ids of their own; in the settings only groups of the
  /// settings can be named.
  private void references(String path, List<String> named, Set<String> ids) {
    for (String each : named) {
      if (!ids.contains(each)) {
        report(path, "there is no group " + each);
      }
    }
  }

  private static boolean isAccount(String member, String host) {
    try {
      Jid jid = member.indexOf('@') < 0 ? Jid.of(member, host, null) : Jid.of(member);
      return jid.local() != null && jid.isBare() && jid.domain().equals(host);
    } catch (JidFormatException e) {
      return false;
    }
  }

  private void report(String path, String text) {
    String whole = path + ": " + text;
    if (reported.add(whole)) {
      report.accept(path, whole);
    }
  }
}
