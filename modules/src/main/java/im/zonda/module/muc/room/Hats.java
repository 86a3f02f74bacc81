package im.zonda.module.muc.room;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The hats of a room and who wears them (XEP-0317). Bounded.
public final class Hats {
  public static final String NAMESPACE = "urn:xmpp:hats:0";
  private static final QName HATS = new QName(NAMESPACE, "hats");
  private static final int MOST_HATS = 100;
  private static final int MOST_WORN = 1_000;
  private static final int MOST_WORN_BY_ONE = 20;

  /// A hat.
  ///
  /// @param uri what it is
  /// @param title what people call it
  /// @param hue its color as an angle (XEP-0392), or null
  public record Hat(String uri, String title, @Nullable String hue) {
    Element toElement() {
      return Element.builder(NAMESPACE, "hat")
          .attribute("title", title)
          .attribute("uri", uri)
          .attribute("hue", hue)
          .build();
    }
  }

  /// Someone's hat.
  public record Worn(Jid user, Hat hat) {}

  private final Map<String, Hat> hats = new TreeMap<>();
  private final Map<Jid, List<String>> worn = new LinkedHashMap<>();

  /// All hats, in the order of what they are.
  public Collection<Hat> all() {
    return hats.values();
  }

  public @Nullable Hat hat(@Nullable String uri) {
    return uri == null ? null : hats.get(uri);
  }

  /// Who wears what.
  public List<Worn> worn() {
    List<Worn> all = new ArrayList<>();
    worn.forEach((user, uris) -> {
      for (String uri : uris) {
        Hat hat = hats.get(uri);
        if (hat != null) {
          all.add(new Worn(user, hat));
        }
      }
    });
    return all;
  }

  /// Who wears that hat.
  public List<Jid> wearers(String uri) {
    List<Jid> users = new ArrayList<>();
    worn.forEach((user, uris) -> {
      if (uris.contains(uri)) {
        users.add(user);
      }
    });
    return users;
  }

  /// Makes or changes a hat; false if there are too many.
  public boolean create(Hat hat) {
    if (!hats.containsKey(hat.uri()) && hats.size() >= MOST_HATS) {
      return false;
    }
    hats.put(hat.uri(), hat);
    return true;
  }

  /// Takes a hat from everyone and away.
  public void destroy(String uri) {
    hats.remove(uri);
    worn.values().forEach(uris -> uris.remove(uri));
    worn.values().removeIf(List::isEmpty);
  }

  /// Puts a hat on someone; false if too many are worn.
  public boolean assign(Jid user, String uri) {
    List<String> own = worn.getOrDefault(user, List.of());
    if (own.contains(uri)) {
      return true;
    }
    if (own.size() >= MOST_WORN_BY_ONE
        || worn.values().stream().mapToInt(List::size).sum() >= MOST_WORN) {
      return false;
    }
    worn.computeIfAbsent(user, first -> new ArrayList<>(1)).add(uri);
    return true;
  }

  /// Takes a hat from someone; false if it was not worn.
  public boolean unassign(Jid user, String uri) {
    List<String> own = worn.get(user);
    boolean removed = own != null && own.remove(uri);
    if (own != null && own.isEmpty()) {
      worn.remove(user);
    }
    return removed;
  }

  /// What stands in the presence of a user, or null if it wears none.
  @Nullable Element of(Jid user) {
    List<String> own = worn.get(user);
    if (own == null) {
      return null;
    }
    Element.Builder element = Element.builder(HATS);
    for (String uri : own) {
      Hat hat = hats.get(uri);
      if (hat != null) {
        element.child(hat.toElement());
      }
    }
    return element.build();
  }

  /// About how many bytes they take.
  public long cost() {
    long bytes = 0;
    for (Hat hat : hats.values()) {
      bytes +=
          MemoryCost.ofText(hat.uri())
              + MemoryCost.ofText(hat.title())
              + MemoryCost.ofText(hat.hue());
    }
    for (Jid user : worn.keySet()) {
      bytes += MemoryCost.AFFILIATION + MemoryCost.ofText(user.toString());
    }
    return bytes;
  }

  /// All of it, to be stored.
  public Element toElement() {
    Element.Builder all = Element.builder(HATS);
    hats.values().forEach(hat -> all.child(hat.toElement()));
    for (Worn one : worn()) {
      all.child(
          Element.builder(NAMESPACE, "worn")
              .attribute("jid", one.user().toString())
              .attribute("uri", one.hat().uri())
              .build());
    }
    return all.build();
  }

  /// What was stored.
  public static Hats of(@Nullable Element stored) {
    Hats hats = new Hats();
    for (Element child : stored == null ? List.<Element>of() : stored.children()) {
      String uri = child.attribute("uri");
      String title = child.attribute("title");
      String jid = child.attribute("jid");
      if (uri == null) {
        continue;
      }
      if (child.is(NAMESPACE, "hat") && title != null) {
        hats.create(new Hat(uri, title, child.attribute("hue")));
      } else if (child.is(NAMESPACE, "worn") && jid != null) {
        hats.assign(user(jid), uri);
      }
    }
    return hats;
  }

  private static Jid user(String jid) {
    try {
      return Jid.of(jid);
    } catch (JidFormatException e) {
      throw new IllegalStateException("a stored address is none", e);
    }
  }
}
