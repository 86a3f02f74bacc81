package im.zonda.config.group;

import im.zonda.config.annotation.Setting;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A shared group: its members have each other in their contact lists.
public record GroupSettings(
    @Setting("name that contact lists show; by default the name of the section")
        @Nullable String name,
    @Setting("members, each by the local part of the address, such as `alice`")
        List<String> members,
    @Setting("whether all accounts of the host are members") boolean everyone,
    @Setting("other shared groups whose members are members too, each by the name of its section")
        List<String> groups,
    @Setting("whether members do not see each other because of this group") boolean hidden,
    @Setting("shared groups whose members see this group too, each by the name of its section")
        List<String> seenBy,
    @Setting(
            value =
                "number of members and others who see the group, above which people in it get each"
                    + " other's presence only after one of them has written to the other",
            max = 10_000)
        int presenceLimit) {
  /// The usual limit of presence.
  public static final int PRESENCE_LIMIT = 500;

  /// A group without members.
  public static final GroupSettings NONE =
      new GroupSettings(null, List.of(), false, List.of(), false, List.of(), PRESENCE_LIMIT);

  /// Copies the lists.
  public GroupSettings {
    members = List.copyOf(members);
    groups = List.copyOf(groups);
    seenBy = List.copyOf(seenBy);
  }

  /// The groups of the server with those of a host, which count where both have one of a name.
  public static Map<String, GroupSettings> of(
      Map<String, GroupSettings> all, Map<String, GroupSettings> own) {
    Map<String, GroupSettings> both = new HashMap<>(all);
    both.putAll(own);
    return both;
  }
}
