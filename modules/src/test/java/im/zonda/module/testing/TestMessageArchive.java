package im.zonda.module.testing;

import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.StoreException;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The archive of a [TestMessageLog]: a list and loops.
public final class TestMessageArchive implements MessageArchive {
  private static final QName BODY = new QName(Namespaces.CLIENT, "body");

  private final TestMessageLog log;
  private boolean searches = true;
  private StoreException.@Nullable Category failure;

  TestMessageArchive(TestMessageLog log) {
    this.log = log;
  }

  /// Says whether it can be searched for words.
  public void searches(boolean can) {
    searches = can;
  }

  /// From now on pages cannot be read, for that reason; null lets them be read again.
  public void failReads(StoreException.@Nullable Category category) {
    failure = category;
  }

  @Override
  public Page page(Jid owner, Filter filter, Portion portion) {
    if (failure != null) {
      throw new StoreException(failure, "the test wants it so", null);
    }
    List<Entry> all =
        new ArrayList<>(
            log.archived(owner).stream().filter(entry -> matches(entry, filter)).toList());
    if (portion.backwards()) {
      Collections.reverse(all);
    }
    List<Entry> entries = new ArrayList<>();
    long bytes = 0;
    for (Entry entry : all) {
      bytes += entry.message().writtenSize();
      if (entries.size() == portion.max() || (bytes > portion.maxBytes() && !entries.isEmpty())) {
        break;
      }
      entries.add(entry);
    }
    boolean complete = entries.size() == all.size();
    if (portion.backwards()) {
      Collections.reverse(entries);
    }
    return new Page(entries, complete);
  }

  private boolean matches(Entry entry, Filter filter) {
    Jid with = filter.with();
    Set<Long> ids = filter.ids();
    return entry.id() >= filter.from()
        && entry.id() <= filter.to()
        && (with == null || entry.with().equals(with) || entry.with().bare().equals(with))
        && (ids == null || ids.contains(entry.id()))
        && (filter.text() == null || hasWords(entry, filter.text()));
  }

  private boolean hasWords(Entry entry, String text) {
    Element body = entry.message().payload(BODY);
    return searches
        && body != null
        && words(body.text()).containsAll(words(text))
        && !text.isBlank();
  }

  private static Set<String> words(String text) {
    return Set.copyOf(List.of(text.toLowerCase(Locale.ROOT).split("\\W+", -1)));
  }

  @Override
  public boolean holds(Jid owner, Collection<Long> ids) {
    return log.archived(owner).stream().map(Entry::id).toList().containsAll(ids);
  }

  @Override
  public boolean searches() {
    return searches;
  }

  @Override
  public boolean replace(Jid owner, long id, Message message) {
    return log.replace(owner, id, message);
  }

  @Override
  public int purge(Jid owner, long before, int newest, int limit) {
    List<Entry> all = log.archived(owner);
    int removed = 0;
    for (int i = 0; i < all.size() && removed < limit; i++) {
      long id = all.get(i).id();
      boolean old = id < before || i < all.size() - newest;
      if (!old || log.isWaiting(id)) {
        break;
      }
      log.remove(id);
      removed++;
    }
    return removed;
  }
}
