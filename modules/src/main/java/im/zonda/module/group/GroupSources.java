package im.zonda.module.group;

import im.zonda.account.provider.ProvidedGroup;
import im.zonda.config.group.GroupSettings;
import im.zonda.group.GroupDefinition;
import im.zonda.group.GroupDefinition.Source;
import im.zonda.jid.Jid;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes groups of what the settings and the providers of accounts say.
final class GroupSources {
  private static final Logger LOG = LoggerFactory.getLogger(GroupSources.class);

  private GroupSources() {}

  /// The groups of the settings, in the order of their names.
  static List<GroupDefinition> ofSettings(Map<String, GroupSettings> settings, String domain) {
    return new TreeMap<>(settings)
        .entrySet().stream().map(each -> of(each.getKey(), each.getValue(), domain)).toList();
  }

  private static GroupDefinition of(String id, GroupSettings group, String domain) {
    String name = group.name();
    return new GroupDefinition(
        id,
        Source.SETTINGS,
        name == null || !GroupNames.isName(name) ? id : name,
        members(id, group.members(), domain),
        group.everyone(),
        group.groups(),
        group.hidden(),
        group.seenBy(),
        group.presenceLimit());
  }

  /// The groups of providers. What cannot be shown is left out.
  static List<GroupDefinition> ofProviders(List<ProvidedGroup> groups, String domain) {
    return groups.stream()
        .filter(each -> {
          boolean isUsable = GroupNames.isName(each.name());
          if (!isUsable) {
            LOG.atWarn().addKeyValue("group", each.id()).log("group_name_not_usable");
          }
          return isUsable;
        })
        .map(each ->
            new GroupDefinition(
                each.id(),
                Source.PROVIDER,
                each.name(),
                members(each.id(), each.members(), domain),
                false,
                List.of(),
                false,
                List.of(),
                GroupSettings.PRESENCE_LIMIT))
        .toList();
  }

  private static Set<Jid> members(String id, Collection<String> texts, String domain) {
    Set<Jid> members = new HashSet<>();
    int invalid = 0;
    for (String text : texts) {
      Jid member = GroupNames.member(text, domain);
      if (member == null) {
        invalid++;
      } else {
        members.add(member);
      }
    }
    if (invalid > 0) {
      LOG.atWarn()
          .addKeyValue("group", id)
          .addKeyValue("count", invalid)
          .log("group_members_not_usable");
    }
    return members;
  }
}
