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

/// The hats of a room and their assignments (XEP-0317). Bounded.
public final class Hats {
  public static final String NAMESPACE = "urn:xmpp:hats:0";
  private static final QName HATS = new QName(NAMESPACE, "hats");
  private static final int MAX_HATS = 100;
  private static final int MAX_WORN = 1_000;
  private static final int MAX_WORN_BY_ONE = 20;

  /// A hat.
  ///
  /// @param uri identifies the hat
  /// @param title its display name
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

  /// A hat that is assigned to a user.
  public record Assignment(Jid user, Hat hat) {}

  private final Map<String, Hat> hats = new TreeMap<>();
  private final Map<Jid, List<String>> worn = new LinkedHashMap<>();

  /// Returns all hats, ordered by URI.
  public Collection<Hat> all() {
    return hats.values();
  }

  public @Nullable Hat hat(@Nullable String uri) {
    return uri == null ? null : hats.get(uri);
  }

  /// Returns all assignments.
  public List<Assignment> assignments() {
    List<Assignment> all = new ArrayList<>();
    worn.forEach((user, uris) -> {
      for (String uri : uris) {
        Hat hat = hats.get(uri);
        if (hat != null) {
          all.add(new Assignment(user, hat));
        }
      }
    });
    return all;
  }

  /// Returns the users to whom a hat is assigned.
  public List<Jid> usersWith(String uri) {
    List<Jid> users = new ArrayList<>();
    worn.forEach((user, uris) -> {
      if (uris.contains(uri)) {
        users.add(user);
      }
    });
    return users;
  }

  /// Creates or changes a hat; returns false if there are too many.
  public boolean create(Hat hat) {
    if (!hats.containsKey(hat.uri()) && hats.size() >= MAX_HATS) {
      return false;
    }
    hats.put(hat.uri(), hat);
    return true;
  }

  /// Removes a hat and its assignments.
  public void destroy(String uri) {
    hats.remove(uri);
    worn.values().forEach(uris -> uris.remove(uri));
    worn.values().removeIf(List::isEmpty);
  }

  /// Assigns a hat; returns false if there are too many assignments.
  public boolean assign(Jid user, String uri) {
    List<String> own = worn.getOrDefault(user, List.of());
    if (own.contains(uri)) {
      return true;
    }
    if (own.size() >= MAX_WORN_BY_ONE
        || worn.values().stream().mapToInt(List::size).sum() >= MAX_WORN) {
      return false;
    }
    worn.computeIfAbsent(user, first -> new ArrayList<>(1)).add(uri);
    return true;
  }

  /// Removes an assignment; returns false if there was none.
  public boolean unassign(Jid user, String uri) {
    List<String> own = worn.get(user);
    boolean removed = own != null && own.remove(uri);
    if (own != null && own.isEmpty()) {
      worn.remove(user);
    }
    return removed;
  }

  /// Whether a hat is assigned to a user.
  public boolean areWornBy(Jid user) {
    return worn.containsKey(user);
  }

  /// Returns these hats without the assignments of a user.
  public Hats without(Jid user) {
    Hats left = new Hats();
    left.hats.putAll(hats);
    worn.forEach((each, uris) -> {
      if (!each.equals(user)) {
        left.worn.put(each, new ArrayList<>(uris));
      }
    });
    return left;
  }

  /// Returns the `<hats/>` payload of a user's presence, or null.
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

  /// Estimates the memory of the hats, in bytes.
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

  /// Writes all hats and assignments for the store.
  public Element toElement() {
    Element.Builder all = Element.builder(HATS);
    hats.values().forEach(hat -> all.child(hat.toElement()));
    for (Assignment one : assignments()) {
      all.child(
          Element.builder(NAMESPACE, "worn")
              .attribute("jid", one.user().toString())
              .attribute("uri", one.hat().uri())
              .build());
    }
    return all.build();
  }

  /// Reads what [#toElement] has written.
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
        Jid user = user(jid);
        if (user != null) {
          hats.assign(user, uri);
        }
      }
    }
    return hats;
  }

  /// Null if it cannot be read: the assignments of others are still valid.
  private static @Nullable Jid user(String jid) {
    try {
      return Jid.stored(jid);
    } catch (JidFormatException e) {
      return null;
    }
  }
}
