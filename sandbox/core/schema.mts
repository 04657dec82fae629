/** Raised with every change of the tables. Files of other versions are refused. */
export const SCHEMA_VERSION = 11;

/** Times are milliseconds of the sandbox's clock, except `attempts.at`, which is real time. */
export const SCHEMA = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

CREATE TABLE tenants (
	number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, owner TEXT NOT NULL,
	secret_key_hash TEXT NOT NULL UNIQUE, public_key TEXT NOT NULL UNIQUE, enterprise INTEGER NOT NULL
) STRICT;

CREATE TABLE channels (
	number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, tenant_id TEXT NOT NULL REFERENCES tenants(id) ON DELETE CASCADE,
	name TEXT NOT NULL, type TEXT NOT NULL, token TEXT NOT NULL, connected INTEGER NOT NULL, waba_id TEXT, phone_id TEXT,
	business_number TEXT, coexistence INTEGER NOT NULL, created_at INTEGER NOT NULL, has_window INTEGER NOT NULL DEFAULT 1,
	payment_status TEXT NOT NULL DEFAULT 'TRIAL', due INTEGER
) STRICT;

CREATE TABLE codes (
	code TEXT PRIMARY KEY, channel_id TEXT NOT NULL REFERENCES channels(id) ON DELETE CASCADE, phone_id TEXT NOT NULL,
	fields TEXT NOT NULL, expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE conversations (
	channel_id TEXT NOT NULL REFERENCES channels(id) ON DELETE CASCADE, customer TEXT NOT NULL, name TEXT NOT NULL,
	last_inbound_at INTEGER NOT NULL, started_at INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (channel_id, customer)
) STRICT;

CREATE TABLE messages (
	number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, channel_id TEXT NOT NULL REFERENCES channels(id) ON DELETE CASCADE,
	customer TEXT NOT NULL, direction TEXT NOT NULL, content TEXT NOT NULL, created_at INTEGER NOT NULL, status TEXT NOT NULL,
	sent_at INTEGER, delivered_at INTEGER, read_at INTEGER, failed_at INTEGER, next_step_at INTEGER,
	from_api INTEGER NOT NULL DEFAULT 1, forwarded INTEGER NOT NULL DEFAULT 0, window_closed INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE webhooks (
	number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, tenant_id TEXT NOT NULL REFERENCES tenants(id) ON DELETE CASCADE,
	channel_id TEXT REFERENCES channels(id) ON DELETE CASCADE, url TEXT NOT NULL, description TEXT, events TEXT NOT NULL,
	status TEXT NOT NULL, secret TEXT, auth TEXT NOT NULL, custom_attributes TEXT NOT NULL, created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL, delivery_order TEXT NOT NULL, routes_from INTEGER NOT NULL, previous TEXT,
	payload_format TEXT NOT NULL DEFAULT 'DEFAULT'
) STRICT;

CREATE TABLE deliveries (
	id INTEGER PRIMARY KEY AUTOINCREMENT, webhook_id TEXT NOT NULL, event TEXT NOT NULL, idempotency_key TEXT NOT NULL, body TEXT NOT NULL,
	created_at INTEGER NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL, next_at INTEGER NOT NULL
) STRICT;

CREATE TABLE attempts (
	delivery_id INTEGER NOT NULL REFERENCES deliveries(id) ON DELETE CASCADE, number INTEGER NOT NULL, at INTEGER NOT NULL,
	duration INTEGER NOT NULL, url TEXT NOT NULL, request_headers TEXT NOT NULL, request_gzip BLOB, faults TEXT NOT NULL,
	status INTEGER, response_headers TEXT, response_body TEXT, error TEXT, PRIMARY KEY (delivery_id, number)
) STRICT;

CREATE TABLE faults (
	number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, fault TEXT NOT NULL, remaining INTEGER, seen INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE media (
	id TEXT PRIMARY KEY, channel_id TEXT NOT NULL REFERENCES channels(id) ON DELETE CASCADE, type TEXT NOT NULL, size INTEGER NOT NULL,
	bytes BLOB NOT NULL, created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE businesses (
	number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, tenant_id TEXT NOT NULL REFERENCES tenants(id) ON DELETE CASCADE,
	name TEXT NOT NULL, UNIQUE (tenant_id, name)
) STRICT;

CREATE TABLE templates (
	number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, tenant_id TEXT NOT NULL REFERENCES tenants(id) ON DELETE CASCADE,
	business_id TEXT NOT NULL REFERENCES businesses(id) ON DELETE CASCADE, name TEXT NOT NULL, language TEXT NOT NULL,
	category TEXT NOT NULL, components TEXT NOT NULL, status TEXT NOT NULL, reason TEXT, created_at INTEGER NOT NULL, ttl INTEGER,
	UNIQUE (business_id, name, language)
) STRICT;

CREATE TABLE submissions (
	template_id TEXT PRIMARY KEY REFERENCES templates(id) ON DELETE CASCADE, changed_at TEXT NOT NULL DEFAULT '[]', review_at INTEGER
) STRICT;

CREATE TABLE template_files (
	handle TEXT PRIMARY KEY, business_id TEXT NOT NULL REFERENCES businesses(id) ON DELETE CASCADE, name TEXT NOT NULL, path TEXT
) STRICT;

CREATE TABLE taken_names (
	business_id TEXT NOT NULL REFERENCES businesses(id) ON DELETE CASCADE, name TEXT NOT NULL, language TEXT NOT NULL, until INTEGER NOT NULL,
	PRIMARY KEY (business_id, name, language)
) STRICT;
`;

/** The message that a delivery's body is about; null if it is about none. Has an index. */
export const MESSAGE_OF_DELIVERY = "(body ->> '$.message._id')";

/** Indexes. Created in any file that lacks them, so that a new index needs no new table version. */
export const INDEXES = `
CREATE INDEX IF NOT EXISTS messages_of_conversation ON messages (channel_id, customer, number);
CREATE INDEX IF NOT EXISTS messages_in_progress ON messages (next_step_at) WHERE next_step_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS webhooks_of_channel ON webhooks (channel_id, number);
CREATE INDEX IF NOT EXISTS webhooks_of_tenant ON webhooks (tenant_id, number);
CREATE INDEX IF NOT EXISTS deliveries_pending ON deliveries (webhook_id, id) WHERE state = 'PENDING';
CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (webhook_id, next_at, id) WHERE state = 'PENDING';
CREATE INDEX IF NOT EXISTS deliveries_of_message ON deliveries (${MESSAGE_OF_DELIVERY});
CREATE INDEX IF NOT EXISTS media_of_channel ON media (channel_id);
`;

/** Everything that a reset empties. Child rows go with their parents. */
export const RESET = `
DELETE FROM attempts; DELETE FROM deliveries; DELETE FROM faults; DELETE FROM webhooks; DELETE FROM messages;
DELETE FROM conversations; DELETE FROM codes; DELETE FROM media; DELETE FROM templates; DELETE FROM channels; DELETE FROM businesses; DELETE FROM tenants; DELETE FROM meta;
DELETE FROM sqlite_sequence;
`;
