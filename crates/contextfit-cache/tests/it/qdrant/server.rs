//! A stand-in for a Qdrant server: its published gRPC API over a table in memory.
//!
//! It implements the calls that the cache makes, refuses what a real server refuses (a point that omits vectors, a
//! collection that does not exist or already does), and can be set to fail. It is not Qdrant: it only shows that
//! requests and replies have the published shapes.

use std::{
    collections::{BTreeMap, HashMap},
    net::SocketAddr,
    pin::Pin,
    sync::{Arc, Mutex},
};

use ::qdrant_client::qdrant::{
    collections_server::{Collections, CollectionsServer},
    condition::ConditionOneOf,
    r#match::MatchValue,
    point_id::PointIdOptions,
    points_selector::PointsSelectorOneOf,
    points_server::{Points, PointsServer},
    value::Kind,
    *,
};
use async_trait::async_trait;
use tonic::{
    Request, Response, Status,
    transport::{Server, server::TcpIncoming},
};

type Reply<T> = Result<Response<T>, Status>;
type Payload = HashMap<String, Value>;

/// What the server holds.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) collections: BTreeMap<String, BTreeMap<String, Payload>>,
    pub(crate) indexes: Vec<(String, String)>,
    /// The answer to every call, if set.
    pub(crate) failure: Option<Status>,
}

/// The server; all handles share one state.
#[derive(Clone, Default)]
pub(crate) struct Standin(pub(crate) Arc<Mutex<State>>);

impl Standin {
    /// Serves on a free port of this machine until the test ends.
    pub(crate) fn start(&self) -> SocketAddr {
        let incoming = TcpIncoming::bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = incoming.local_addr().unwrap();
        let server = Server::builder()
            .add_service(PointsServer::new(self.clone()))
            .add_service(CollectionsServer::new(self.clone()));
        tokio::spawn(server.serve_with_incoming(incoming));
        address
    }

    fn state<T>(&self, job: impl FnOnce(&mut State) -> Result<T, Status>) -> Result<T, Status> {
        let mut state = self.0.lock().unwrap();
        match state.failure.clone() {
            Some(failure) => Err(failure),
            None => job(&mut state),
        }
    }

    fn points<T>(
        &self,
        collection: &str,
        job: impl FnOnce(&mut BTreeMap<String, Payload>) -> Result<T, Status>,
    ) -> Result<T, Status> {
        self.state(|state| match state.collections.get_mut(collection) {
            Some(points) => job(points),
            None => Err(Status::not_found(format!("Not found: Collection `{collection}` doesn't exist!"))),
        })
    }
}

fn id_of(id: Option<PointId>) -> Result<String, Status> {
    match id.and_then(|id| id.point_id_options) {
        Some(PointIdOptions::Uuid(uuid)) if is_uuid(&uuid) => Ok(uuid),
        Some(PointIdOptions::Num(number)) => Ok(number.to_string()),
        other => Err(Status::invalid_argument(format!("Unable to parse UUID: {other:?}"))),
    }
}

fn is_uuid(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    let sizes: Vec<usize> = groups.iter().map(|group| group.len()).collect();
    sizes == [8, 4, 4, 4, 12] && groups.concat().chars().all(|c| c.is_ascii_hexdigit())
}

fn matches(filter: &Filter, payload: &Payload) -> bool {
    filter.must.iter().all(|condition| holds(condition, payload))
        && !filter.must_not.iter().any(|condition| holds(condition, payload))
}

fn holds(condition: &Condition, payload: &Payload) -> bool {
    let Some(ConditionOneOf::Field(field)) = &condition.condition_one_of else { panic!("{condition:?}") };
    let Some(value) = payload.get(&field.key).and_then(|value| value.kind.as_ref()) else { return false };
    if let Some(range) = &field.range {
        let Kind::IntegerValue(number) = value else { return false };
        assert!(range.lt.is_none() && range.gt.is_none() && range.gte.is_none());
        return range.lte.is_some_and(|lte| *number as f64 <= lte);
    }
    match field.r#match.as_ref().and_then(|m| m.match_value.as_ref()) {
        Some(MatchValue::Keyword(keyword)) => matches!(value, Kind::StringValue(text) if text == keyword),
        other => panic!("{other:?}"),
    }
}

fn done() -> Reply<PointsOperationResponse> {
    Ok(Response::new(PointsOperationResponse {
        result: Some(UpdateResult { operation_id: Some(1), status: UpdateStatus::Completed.into() }),
        ..PointsOperationResponse::default()
    }))
}

/// Calls that the cache does not make.
macro_rules! unused {
    ($($name:ident($request:ty) -> $reply:ty,)*) => {$(
        // Written as `async_trait` would: it does not see into macros.
        fn $name<'s, 'f>(
            &'s self,
            _: Request<$request>,
        ) -> Pin<Box<dyn Future<Output = Reply<$reply>> + Send + 'f>>
        where
            's: 'f,
            Self: 'f,
        {
            Box::pin(async { Err(Status::unimplemented(stringify!($name))) })
        }
    )*};
}

#[async_trait]
impl Points for Standin {
    async fn upsert(&self, request: Request<UpsertPoints>) -> Reply<PointsOperationResponse> {
        let request = request.into_inner();
        assert_eq!(request.wait, Some(true), "a put must be visible when the call returns");
        self.points(&request.collection_name, |points| {
            for point in request.points {
                if point.vectors.is_none() {
                    return Err(Status::invalid_argument("Expected some vectors"));
                }
                points.insert(id_of(point.id)?, point.payload);
            }
            Ok(())
        })?;
        done()
    }

    async fn delete(&self, request: Request<DeletePoints>) -> Reply<PointsOperationResponse> {
        let request = request.into_inner();
        let selector = request.points.and_then(|points| points.points_selector_one_of);
        self.points(&request.collection_name, |points| {
            match selector {
                Some(PointsSelectorOneOf::Filter(filter)) => {
                    points.retain(|_, payload| !matches(&filter, payload));
                }
                Some(PointsSelectorOneOf::Points(list)) => {
                    for id in list.ids {
                        points.remove(&id_of(Some(id))?);
                    }
                }
                None => return Err(Status::invalid_argument("PointSelector is missing")),
            }
            Ok(())
        })?;
        done()
    }

    /// In the order of the ids, as a server that reads its segments would: not that of the request.
    async fn get(&self, request: Request<GetPoints>) -> Reply<GetResponse> {
        let request = request.into_inner();
        let ids: Vec<String> = request.ids.into_iter().map(|id| id_of(Some(id))).collect::<Result<_, _>>()?;
        let result = self.points(&request.collection_name, |points| {
            let found = points.iter().filter(|(id, _)| ids.contains(id));
            let found = found.map(|(id, payload)| RetrievedPoint {
                id: Some(PointId::from(id.clone())),
                payload: payload.clone(),
                ..RetrievedPoint::default()
            });
            Ok(found.collect())
        })?;
        Ok(Response::new(GetResponse { result, ..GetResponse::default() }))
    }

    async fn count(&self, request: Request<CountPoints>) -> Reply<CountResponse> {
        let request = request.into_inner();
        let count = self.points(&request.collection_name, |points| Ok(points.len() as u64))?;
        Ok(Response::new(CountResponse { result: Some(CountResult { count }), ..CountResponse::default() }))
    }

    async fn create_field_index(
        &self,
        request: Request<CreateFieldIndexCollection>,
    ) -> Reply<PointsOperationResponse> {
        let request = request.into_inner();
        self.state(|state| {
            state.indexes.push((request.collection_name, request.field_name));
            Ok(())
        })?;
        done()
    }

    unused! {
        update_vectors(UpdatePointVectors) -> PointsOperationResponse,
        delete_vectors(DeletePointVectors) -> PointsOperationResponse,
        set_payload(SetPayloadPoints) -> PointsOperationResponse,
        overwrite_payload(SetPayloadPoints) -> PointsOperationResponse,
        delete_payload(DeletePayloadPoints) -> PointsOperationResponse,
        clear_payload(ClearPayloadPoints) -> PointsOperationResponse,
        delete_field_index(DeleteFieldIndexCollection) -> PointsOperationResponse,
        create_vector_name(CreateVectorNameRequest) -> PointsOperationResponse,
        delete_vector_name(DeleteVectorNameRequest) -> PointsOperationResponse,
        search(SearchPoints) -> SearchResponse,
        search_batch(SearchBatchPoints) -> SearchBatchResponse,
        search_groups(SearchPointGroups) -> SearchGroupsResponse,
        scroll(ScrollPoints) -> ScrollResponse,
        recommend(RecommendPoints) -> RecommendResponse,
        recommend_batch(RecommendBatchPoints) -> RecommendBatchResponse,
        recommend_groups(RecommendPointGroups) -> RecommendGroupsResponse,
        discover(DiscoverPoints) -> DiscoverResponse,
        discover_batch(DiscoverBatchPoints) -> DiscoverBatchResponse,
        update_batch(UpdateBatchPoints) -> UpdateBatchResponse,
        query(QueryPoints) -> QueryResponse,
        query_batch(QueryBatchPoints) -> QueryBatchResponse,
        query_groups(QueryPointGroups) -> QueryGroupsResponse,
        facet(FacetCounts) -> FacetResponse,
        search_matrix_pairs(SearchMatrixPoints) -> SearchMatrixPairsResponse,
        search_matrix_offsets(SearchMatrixPoints) -> SearchMatrixOffsetsResponse,
    }
}

#[async_trait]
impl Collections for Standin {
    async fn create(&self, request: Request<CreateCollection>) -> Reply<CollectionOperationResponse> {
        let name = request.into_inner().collection_name;
        self.state(|state| {
            if state.collections.contains_key(&name) {
                return Err(Status::already_exists(format!("Collection `{name}` already exists!")));
            }
            state.collections.insert(name, BTreeMap::new());
            Ok(())
        })?;
        Ok(Response::new(CollectionOperationResponse {
            result: true,
            ..CollectionOperationResponse::default()
        }))
    }

    async fn collection_exists(
        &self,
        request: Request<CollectionExistsRequest>,
    ) -> Reply<CollectionExistsResponse> {
        let name = request.into_inner().collection_name;
        let exists = self.state(|state| Ok(state.collections.contains_key(&name)))?;
        let result = Some(CollectionExists { exists });
        Ok(Response::new(CollectionExistsResponse { result, ..CollectionExistsResponse::default() }))
    }

    unused! {
        get(GetCollectionInfoRequest) -> GetCollectionInfoResponse,
        list(ListCollectionsRequest) -> ListCollectionsResponse,
        update(UpdateCollection) -> CollectionOperationResponse,
        delete(DeleteCollection) -> CollectionOperationResponse,
        update_aliases(ChangeAliases) -> CollectionOperationResponse,
        list_collection_aliases(ListCollectionAliasesRequest) -> ListAliasesResponse,
        list_aliases(ListAliasesRequest) -> ListAliasesResponse,
        collection_cluster_info(CollectionClusterInfoRequest) -> CollectionClusterInfoResponse,
        update_collection_cluster_setup(UpdateCollectionClusterSetupRequest) -> UpdateCollectionClusterSetupResponse,
        create_shard_key(CreateShardKeyRequest) -> CreateShardKeyResponse,
        delete_shard_key(DeleteShardKeyRequest) -> DeleteShardKeyResponse,
        list_shard_keys(ListShardKeysRequest) -> ListShardKeysResponse,
    }
}
