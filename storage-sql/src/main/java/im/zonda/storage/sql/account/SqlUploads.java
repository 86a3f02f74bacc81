package im.zonda.storage.sql.account;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.database.QueryExecutor;
import im.zonda.storage.sql.log.IdClock;
import im.zonda.storage.sql.log.OwnerIds;
import im.zonda.storage.sql.log.Writer;
import im.zonda.store.MessageLog;
import im.zonda.store.UploadStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/// Files that accounts have uploaded, in the table `upload`.
public record SqlUploads(Writer writer, QueryExecutor queries) implements UploadStore {
  private static final String COLUMNS =
      "select domain, local, slot, name, type, size, hash, upload.created, expires"
          + " from upload join account on account.id = owner_id ";

  private static final String FIND = COLUMNS + "where slot = ?";

  private static final String LIST =
      COLUMNS
          + "where domain = ? and local = ? and upload.created >= ?"
          + " order by upload.created, upload.id limit ?";

  private static final String USAGE =
      """
      select count(*), coalesce(sum(size), 0) from upload
      where owner_id = (select id from account where domain = ? and local = ?) and created >= ?
      """;

  private static final String USAGES =
      """
      select local, count(*), sum(size) from account join upload on owner_id = account.id
      where domain = :domain and local in (<locals>) group by local
      """;

  private static final String OUTDATED =
      """
      select slot from upload join account on account.id = owner_id
      where domain = ? and (upload.created < ? or (expires > 0 and expires <= ?))
      order by upload.created, upload.id limit ?
      """;

  private static final String USED = "select distinct hash from upload where hash in (<hashes>)";

  private static final String ADD =
      """
      insert into upload (id, owner_id, slot, name, type, size, hash, created, expires)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final long NEVER = 0;

  @Override
  public boolean add(Upload upload) {
    return writer.changeOf(
        upload.owner(),
        (connection, owner) -> {
          Handle handle = connection.handle();
          if (find(handle, upload.slot()) != null) {
            return false;
          }
          Instant expires = upload.expires();
          handle.execute(
              ADD,
              writer.ids().next(),
              owner,
              upload.slot(),
              upload.name(),
              upload.type(),
              upload.size(),
              upload.hash(),
              IdClock.micros(upload.created()),
              expires == null ? NEVER : IdClock.micros(expires));
          return true;
        });
  }

  @Override
  public @Nullable Upload find(String slot) {
    return queries.<@Nullable Upload>query(handle -> find(handle, slot));
  }

  private static @Nullable Upload find(Handle handle, String slot) {
    return handle
        .createQuery(FIND)
        .bind(0, slot)
        .map((row, context) -> Optional.ofNullable(upload(row)))
        .findOne()
        .flatMap(found -> found)
        .orElse(null);
  }

  private static @Nullable Upload upload(ResultSet row) throws SQLException {
    Jid owner = ReadableRows.owner(row.getString(1), row.getString(2));
    return owner == null ? null : upload(owner, row);
  }

  private static Upload upload(Jid owner, ResultSet row) throws SQLException {
    long expires = row.getLong(9);
    return new Upload(
        row.getString(3),
        owner,
        row.getString(4),
        row.getString(5),
        row.getLong(6),
        row.getString(7),
        MessageLog.timeOf(row.getLong(8)),
        expires == NEVER ? null : MessageLog.timeOf(expires));
  }

  @Override
  public List<Upload> list(Jid owner, Instant since, int limit) {
    return queries.query(handle ->
        handle
            .createQuery(LIST)
            .bind(0, owner.domain())
            .bind(1, OwnerIds.localOf(owner))
            .bind(2, IdClock.micros(since))
            .bind(3, limit)
            .map((row, context) -> upload(owner, row))
            .list());
  }

  @Override
  public Usage usage(Jid owner, Instant since) {
    return queries.query(handle ->
        handle
            .createQuery(USAGE)
            .bind(0, owner.domain())
            .bind(1, OwnerIds.localOf(owner))
            .bind(2, IdClock.micros(since))
            .map((row, context) -> new Usage(row.getLong(1), row.getLong(2)))
            .one());
  }

  @Override
  public Map<Jid, Usage> usages(String domain, Collection<Jid> owners) {
    Map<String, Jid> locals = new HashMap<>();
    owners.forEach(each -> locals.put(OwnerIds.localOf(each), each));
    if (locals.isEmpty()) {
      return Map.of();
    }
    Map<Jid, Usage> usages = new HashMap<>();
    return queries.query(handle -> {
      handle
          .createQuery(USAGES)
          .bind("domain", domain)
          .bindList("locals", List.copyOf(locals.keySet()))
          .map((row, context) ->
              usages.put(
                  Objects.requireNonNull(locals.get(row.getString(1))),
                  new Usage(row.getLong(2), row.getLong(3))))
          .list();
      return usages;
    });
  }

  @Override
  public List<String> outdated(String domain, Instant before, Instant now, int limit) {
    return queries.query(handle ->
        handle
            .createQuery(OUTDATED)
            .bind(0, domain)
            .bind(1, IdClock.micros(before))
            .bind(2, IdClock.micros(now))
            .bind(3, limit)
            .mapTo(String.class)
            .list());
  }

  @Override
  public int remove(Collection<String> slots) {
    List<String> removed = List.copyOf(slots);
    return writer.change(connection -> {
      int count = 0;
      for (String slot : removed) {
        count += connection.handle().execute("delete from upload where slot = ?", slot);
      }
      return count;
    });
  }

  @Override
  public Set<String> used(Set<String> hashes) {
    if (hashes.isEmpty()) {
      return Set.of();
    }
    return new HashSet<>(
        queries.query(handle ->
            handle
                .createQuery(USED)
                .bindList("hashes", List.copyOf(hashes))
                .mapTo(String.class)
                .list()));
  }
}
