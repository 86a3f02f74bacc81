package im.zonda.storage.memory;

import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.storage.memory.MemoryData.Owner;
import im.zonda.storage.memory.MemoryData.Row;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog.Entry;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The archive: looks at each archived entry of the owner.
record MemoryArchive(MemoryDatabase database) implements MessageArchive {
  private static final QName BODY = new QName(Namespaces.CLIENT, "body");

  /// One character of a script that is written without spaces, or a run of letters and digits.
  private static final Pattern WORD =
      Pattern.compile(
          List.of(UnicodeScript.HAN, UnicodeScript.HIRAGANA, UnicodeScript.KATAKANA).stream()
                  .map(script -> "\\p{Is" + script + "}")
                  .collect(Collectors.joining("", "[", "]"))
              + "|[\\p{L}\\p{N}&&[^\\p{IsHan}\\p{IsHiragana}\\p{IsKatakana}]]+");

  @Override
  public Page page(Jid owner, Filter filter, Portion portion) {
    return database.call(() -> {
      List<Entry> matching =
          new ArrayList<>(
              rows(owner).stream()
                  .map(Row::entry)
                  .filter(entry -> matches(entry, filter))
                  .toList());
      if (portion.backwards()) {
        Collections.reverse(matching);
      }
      List<Entry> entries = new ArrayList<>();
      long bytes = 0;
      for (Entry entry : matching) {
        bytes += entry.message().writtenSize();
        if (entries.size() == portion.max() || (bytes > portion.maxBytes() && !entries.isEmpty())) {
          break;
        }
        entries.add(entry);
      }
      boolean complete = entries.size() == matching.size();
      if (portion.backwards()) {
        Collections.reverse(entries);
      }
      return new Page(entries, complete);
    });
  }

  private static boolean matches(Entry entry, Filter filter) {
    Jid with = filter.with();
    Set<Long> ids = filter.ids();
    return entry.id() >= filter.from()
        && entry.id() <= filter.to()
        && (with == null
            || entry.with().equals(with)
            || (with.resource() == null && entry.with().bare().equals(with)))
        && (ids == null || ids.contains(entry.id()))
        && (filter.text() == null || hasWords(entry.message(), words(filter.text())));
  }

  private static boolean hasWords(Message message, Set<String> wanted) {
    return !wanted.isEmpty()
        && message.payloads().stream()
            .filter(payload -> payload.name().equals(BODY))
            .map(Element::text)
            .flatMap(text -> words(text).stream())
            .collect(Collectors.toSet())
            .containsAll(wanted);
  }

  /// The different words of a text, without case and accents.
  private static Set<String> words(String text) {
    String plain =
        Normalizer.normalize(text, Normalizer.Form.NFKD)
            .toLowerCase(Locale.ROOT)
            .replaceAll("\\p{M}", "");
    return WORD.matcher(plain).results().map(MatchResult::group).collect(Collectors.toSet());
  }

  @Override
  public boolean holds(Jid owner, Collection<Long> ids) {
    return database.call(() ->
        rows(owner).stream()
            .map(row -> row.entry().id())
            .collect(Collectors.toSet())
            .containsAll(ids));
  }

  @Override
  public boolean searches() {
    return true;
  }

  @Override
  public boolean replace(Jid owner, long id, Message message) {
    return database.call(() -> {
      Owner found = database.data().owners.get(owner);
      Row row = found == null ? null : found.log.get(id);
      if (row == null || !row.archive()) {
        return false;
      }
      Entry entry = new Entry(owner, id, row.entry().with(), message);
      Objects.requireNonNull(found).log.put(id, new Row(entry, true, row.waiting()));
      return true;
    });
  }

  @Override
  public int purge(Jid owner, long before, int newest, int limit) {
    return database.call(() -> {
      List<Row> rows = rows(owner);
      int removed = 0;
      for (Row row : rows) {
        boolean old = row.entry().id() < before || removed < rows.size() - newest;
        if (!old || row.waiting() || removed == limit) {
          break;
        }
        database.data().require(owner).log.remove(row.entry().id());
        removed++;
      }
      return removed;
    });
  }

  /// The archived entries of an owner, in order.
  private List<Row> rows(Jid owner) {
    Owner found = database.data().owners.get(owner);
    return found == null ? List.of() : found.log.values().stream().filter(Row::archive).toList();
  }
}
