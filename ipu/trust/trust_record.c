#include "ipu/trust/trust_record.h"

#include "ipu/trust/trust_internal.h"

uint32_t trust_date(const struct trust *t)
{
	return t->date;
}

bool trust_has_date(const struct trust *t)
{
	return t->has_date;
}

void trust_set_date(struct trust *t, uint32_t date)
{
	t->date = date;
}

static void hash_revocations(const struct revocations *r, struct hash *h)
{
	hash_add_u64(h, r->nr);
	for (size_t i = 0; i < r->nr; i++)
		hash_add(h, r->rows[i].id, sizeof(r->rows[i].id));
}

void trust_hash(const struct trust *t, struct hash *h)
{
	hash_add_string(h, "trust");
	hash_add_u64(h, t->policy);
	hash_add_u64(h, t->is_confidential);
	hash_add_u64(h, t->nr_keys);
	for (size_t i = 0; i < t->nr_keys; i++) {
		hash_add(h, t->keys[i].key.bytes, KEY_PUBLIC_BYTES);
		hash_add_u64(h, t->keys[i].class);
		hash_add_u64(h, t->keys[i].expires);
	}
	hash_revocations(&t->revoked_keys, h);
	hash_revocations(&t->revoked_images, h);
}
